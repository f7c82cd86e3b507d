import type { BankTable } from "#payout/banks/table.ts";

/**
 * Bank codes of MMK as the provider published them in mid 2024.
 * No published table: both codes come from working clients of the interface.
 */
// biome-ignore format: one bank per line
export const MMK: BankTable = {
  payout: [
    ["WAVEPAY", "WavePay"],
    ["KBZPAY", "KBZPay"],
  ],
};
