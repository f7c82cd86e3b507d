import { expect, test } from "vitest";
import { VIEW_FILTERS } from "#people/saved-views.ts";
import { approvalsSearch } from "../../dashboard/src/pages/approval/search-params.ts";
import { depositSearch } from "../../dashboard/src/pages/deposit/search-params.ts";
import { auditSearch } from "../../dashboard/src/pages/integrity/search-params.ts";
import { batchesSearch } from "../../dashboard/src/pages/intake/list/search-params.ts";
import { failureSearch } from "../../dashboard/src/pages/operations/failures/search-params.ts";
import {
  FIELD_GROUPS,
  MORE_GROUPS,
  payoutSearch,
} from "../../dashboard/src/pages/payout/search-params.ts";

const PAGES = {
  approvals: approvalsSearch,
  audit: auditSearch,
  batches: batchesSearch,
  deposits: depositSearch,
  failures: failureSearch,
  payouts: payoutSearch,
} as const;

test.each(Object.entries(VIEW_FILTERS))(
  "reads every filter that a view keeps on %s",
  (page, names) => {
    const kept = Object.fromEntries(names.map((name) => [name, "2026-12-31"]));
    expect(PAGES[page as keyof typeof PAGES](kept)).toMatchObject(kept);
  },
);

test("keeps every filter in a view of payouts except those for the beneficiary", () => {
  const groups = Object.values({ ...FIELD_GROUPS, ...MORE_GROUPS });
  const chips = groups.flatMap((fields) => fields.map(({ name }) => name));
  const left = new Set<string>(["text", ...chips]).difference(
    new Set<string>(VIEW_FILTERS.payouts),
  );
  expect(left).toEqual(new Set(["name", "account", "account_last4", "user_id", "reference"]));
});
