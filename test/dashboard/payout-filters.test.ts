import { expect, test } from "vitest";
import { PayoutFilter } from "#api/payout/payouts.ts";
import { MAIN_FIELDS, MORE_FIELDS } from "../../dashboard/src/pages/payout/search-params.ts";

test("shows a field on the payout page for everything payouts can be found by", () => {
  const fields = [...MAIN_FIELDS, ...MORE_FIELDS].map(({ name }) => name);
  // The state has its own control.
  expect(new Set([...fields, "state"])).toEqual(new Set(Object.keys(PayoutFilter.shape)));
});
