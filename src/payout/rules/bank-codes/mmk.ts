import type { BankTable } from "#payout/rules/bank-codes/table.ts";

/**
 * Bank codes of MMK. The provider published no table up to mid 2024; both codes come from working
 * clients of the interface.
 */
// biome-ignore format: one bank per line
export const MMK: BankTable = {
  payout: [
    ["WAVEPAY", "WavePay"],
    ["KBZPAY", "KBZPay"],
  ],
};
