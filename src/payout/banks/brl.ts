import type { BankTable } from "#payout/banks/table.ts";

/**
 * Bank codes of BRL as the provider published them in mid 2024.
 * The codes are the kinds of a PIX key; bank_name carries the key itself.
 */
// biome-ignore format: one bank per line
export const BRL: BankTable = {
  payout: [
    ["CPF", "(bank_name carries the account value)"],
    ["CNPJ", "(bank_name carries the account value)"],
    ["EMAIL", "(bank_name carries the account value)"],
    ["PHONE", "(bank_name carries the account value)"],
    ["RANDOMKEY", "(bank_name carries the account value)"],
    ["EVP", "(bank_name carries the account value)"],
  ],
};
