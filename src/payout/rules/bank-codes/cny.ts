import type { BankTable } from "#payout/rules/bank-codes/table.ts";

/**
 * Bank codes of CNY as published by the provider in mid 2024. The provider does not split them by
 * direction.
 */
// biome-ignore format: one bank per line
export const CNY: BankTable = {
  payout: [
    ["BOC", "Bank of China"],
    ["ICBC", "ICBC"],
    ["CCB", "China Construction Bank"],
    ["COMM", "China Bank of Communications"],
    ["HXB", "Hua Xia Bank of China"],
    ["CMB", "China Merchants Bank"],
    ["CEB", "China Everbright Bank"],
    ["ABC", "Agricultural Bank of China"],
    ["CMBC", "China Minsheng Bank"],
    ["CIB", "Industrial Bank of China"],
    ["CITIC", "China CITIC Bank"],
    ["BJB", "Bank of China Beijing"],
    ["SPDB", "China Pudong Development Bank"],
    ["BOSH", "Bank of China Shanghai"],
    ["HELP", "Ping An Bank of China"],
    ["PSBC", "China Postal Savings Bank"],
    ["GBS", "China Hengfeng Bank"],
    ["CZB", "China Zheshang Bank"],
    ["CBHB", "China Bohai Bank"],
    ["CSCB", "Bank of China Changsha"],
  ],
};
