import { expect, test } from "vitest";
import { interpretSearch } from "#payout/search.ts";

/** Possible meanings of a search text, the most likely first. */
// biome-ignore format: the columns are the point
const MEANT: readonly [text: string, ...ways: (readonly [label: string, by: object])[]][] = [
  [""],
  ["  "],
  ["PR8X", ["code PR8X…", { code: "PR8X" }], ["gateway number PR8X…", { gatewayNumber: "PR8X" }], ["user ID PR8X", { userId: "PR8X" }]],
  ["pr8x", ["code PR8X…", { code: "PR8X" }], ["code pr8x…", { code: "pr8x" }], ["gateway number pr8x…", { gatewayNumber: "pr8x" }], ["user ID pr8x", { userId: "pr8x" }]],
  ["x1-_5y", ["code X1-_5Y…", { code: "X1-_5Y" }], ["code x1-_5y…", { code: "x1-_5y" }], ["gateway number x1-_5y…", { gatewayNumber: "x1-_5y" }], ["user ID x1-_5y", { userId: "x1-_5y" }], ["account x1-_5y", { account: "x1-_5y" }]],
  ["1234", ["code 1234…", { code: "1234" }], ["gateway number 1234…", { gatewayNumber: "1234" }], ["user ID 1234", { userId: "1234" }], ["account ending in 1234", { accountLast4: "1234" }], ["amount 1234", { amountFrom: "1234", amountTo: "1234.99999999" }]],
  ["123", ["user ID 123", { userId: "123" }], ["amount 123", { amountFrom: "123", amountTo: "123.99999999" }]],
  ["+441234", ["user ID +441234", { userId: "+441234" }], ["account +441234", { account: "+441234" }]],
  ["anna", ["code ANNA…", { code: "ANNA" }], ["code anna…", { code: "anna" }], ["gateway number anna…", { gatewayNumber: "anna" }], ["name anna", { name: "anna" }]],
  ["rao", ["code RAO…", { code: "RAO" }], ["gateway number RAO…", { gatewayNumber: "RAO" }], ["name rao", { name: "rao" }]],
  ["inr"],
  ["山田", ["name 山田", { name: "山田" }]],
  [" anna  rao inr 1,200 ", ["name anna rao, amount 1200, INR", { name: "anna rao", currency: "INR", amountFrom: "1200", amountTo: "1200.99999999" }]],
  ["1,00,000.50", ["user ID 1,00,000.50", { userId: "1,00,000.50" }], ["amount 100000.50", { amountFrom: "100000.50", amountTo: "100000.50" }]],
  ["THB 12", ["amount 12, THB", { currency: "THB", amountFrom: "12", amountTo: "12.99999999" }]],
  ["anna X1", ["name anna X1", { name: "anna X1" }]],
  ["E-102", ["code E-102…", { code: "E-102" }], ["gateway number E-102…", { gatewayNumber: "E-102" }], ["user ID E-102", { userId: "E-102" }]],
  ["?? --"],
  ["WD", ["code WD…", { code: "WD" }], ["gateway number WD…", { gatewayNumber: "WD" }], ["name WD", { name: "WD" }]],
  ...["••6282", "**6282", "…6282", "...6282", "•••• 6282", "XXXX6282"].map(
    (masked): (typeof MEANT)[number] => [masked, ["account ending in 6282", { accountLast4: "6282" }]],
  ),
  ["1,2", ["user ID 1,2", { userId: "1,2" }]],
  ["12.", ["user ID 12.", { userId: "12." }]],
];

test.each(MEANT)("%j", (text, ...ways) => {
  expect(interpretSearch(text).map(({ label, by }) => [label, by])).toEqual(ways);
});
