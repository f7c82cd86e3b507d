import { expect, test } from "vitest";
import { PayoutFilter } from "#api/payouts.ts";
import { MAIN_FIELDS, MORE_FIELDS } from "../../dashboard/src/pages/payouts/search-params.ts";

test("whatever payouts can be found by has a field on their page", () => {
  const fields = [...MAIN_FIELDS, ...MORE_FIELDS].map(({ name }) => name);
  // The state is a choice of its own.
  expect(new Set([...fields, "state"])).toEqual(new Set(Object.keys(PayoutFilter.shape)));
});
