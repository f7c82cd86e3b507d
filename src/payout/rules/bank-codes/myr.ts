import type { BankTable } from "#payout/rules/bank-codes/table.ts";

/**
 * Bank codes of MYR as published by the provider in mid 2024. The same codes are valid for deposits
 * and payouts.
 */
// biome-ignore format: one bank per line
export const MYR: BankTable = {
  payout: [
    ["CIMB", "CIMB Bank Berhad"],
    ["MBB", "Maybank Berhad"],
    ["HLB", "Hong Leong Bank Berhad"],
    ["RHB", "RHB Banking Group"],
    ["PBB", "Public Bank Berhad"],
    ["AMB", "AmBank Group"],
    ["BIMB", "Bank Islam Malaysia Berhad"],
  ],
};
