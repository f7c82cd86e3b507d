import { expect, test } from "vitest";
import { PayoutFilter } from "#api/payout/payout-filter.ts";
import { valueOf } from "../../dashboard/src/pages/payout/chip-values.ts";
import {
  FIELD_GROUPS,
  MORE_GROUPS,
  payoutSearch,
} from "../../dashboard/src/pages/payout/search-params.ts";

const GROUPS = { ...FIELD_GROUPS, ...MORE_GROUPS };

test("shows a field on the payout page for everything payouts can be found by", () => {
  const fields = Object.values(GROUPS).flatMap((group) => group.map(({ name }) => name));
  // These have their own controls.
  const others = ["state", "compared", "text", "retry_result", "drafts", "blocked"];
  expect(new Set([...fields, ...others])).toEqual(new Set(Object.keys(PayoutFilter.shape)));
});

test("shows each filter of a saved view as a chip of its own", () => {
  const search = payoutSearch({ code: "OWN-", amount: 1200, gateway_number: "GW-7" });
  const chips = Object.entries(GROUPS).flatMap(([group, fields]) => {
    const value = valueOf(fields, search);
    return value === undefined ? [] : [[group, value]];
  });
  expect(chips).toEqual([
    ["amount", "1,200"],
    ["code", "OWN-"],
    ["gateway_number", "GW-7"],
  ]);
});

test("shows a period with both ends, or with the one that is set", () => {
  const settled_from = "2026-11-01T00:00:00.000Z";
  const settled_to = "2026-11-02T00:00:00.000Z";
  const shown = (search: object) => valueOf(GROUPS.settled, search);
  expect(shown({ settled_from, settled_to })).toMatch(/^1 Nov.* – 2 Nov/);
  expect(shown({ settled_from })).toMatch(/^from 1 Nov/);
  expect(shown({ settled_to })).toMatch(/^before 2 Nov/);
  expect(shown({})).toBeUndefined();
});
