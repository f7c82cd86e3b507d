import { PageLink } from "../../components/page-link.tsx";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { isWithoutDrafts, type PayoutSearch } from "./search-params.ts";

const texts = messages.list;

/** The payouts that a sum counts twice, and the drafts that the list leaves out. */
export function SumNote({
  summary: { retried, states },
  search,
}: {
  readonly summary: PayoutSummary;
  readonly search: PayoutSearch;
}) {
  const drafts = states.find(({ state }) => state === "draft")?.payouts ?? 0;
  return (
    <>
      {retried === 0 ? null : texts.retried(retried)}
      {drafts === 0 || !isWithoutDrafts(search) ? null : (
        <PageLink to="/payouts?state=draft">{texts.drafts(drafts)}</PageLink>
      )}
    </>
  );
}
