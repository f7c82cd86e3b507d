import { expect, test } from "vitest";
import { PayoutFilter } from "#api/payout/payouts.ts";
import { filtersOfText } from "../../dashboard/src/pages/payout/search-text.ts";
import { FIELD_GROUPS, TEXT_FIELDS } from "../../dashboard/src/pages/payout/search-params.ts";

test("shows a field on the payout page for everything payouts can be found by", () => {
  const chips = Object.values(FIELD_GROUPS).flatMap((fields) => fields.map(({ name }) => name));
  const fields = [...TEXT_FIELDS, ...chips];
  // The state has its own control.
  expect(new Set([...fields, "state"])).toEqual(new Set(Object.keys(PayoutFilter.shape)));
});

test.each([
  ["", {}],
  ["Aru", { name: "Aru" }],
  ["INR 22,407", { amount: "22407", currency: "INR" }],
  ["99.50", { amount: "99.50" }],
  ["PR8M-1", { code: "PR8M-1" }],
])("reads %j in the search field", (text, filters) => {
  expect(filtersOfText(text)).toEqual(filters);
});
