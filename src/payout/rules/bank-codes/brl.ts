import type { BankTable } from "#payout/rules/bank-codes/table.ts";

/**
 * Bank codes of BRL as published by the provider in mid 2024. The codes are the kinds of a PIX key;
 * bank_name contains the key itself.
 */
// biome-ignore format: one bank per line
export const BRL: BankTable = {
  namesNoBank: true,
  payout: [
    ["CPF", "the key is in bank_name"],
    ["CNPJ", "the key is in bank_name"],
    ["EMAIL", "the key is in bank_name"],
    ["PHONE", "the key is in bank_name"],
    ["RANDOMKEY", "the key is in bank_name"],
    ["EVP", "the key is in bank_name"],
  ],
};
