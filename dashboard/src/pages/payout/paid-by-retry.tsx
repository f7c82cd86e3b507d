import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { messages } from "./messages.ts";
import type { PayoutView } from "./payout-query.ts";

const texts = messages.payout;

type ChainLink = PayoutView["chain"][number];

/** The retry that paid the row of this declined or returned payout; null if none has. */
export const payingRetryOf = ({ state, code, chain }: PayoutView): ChainLink | null =>
  state === "declined" || state === "returned"
    ? (chain.find((link) => link.code !== code && link.paid_at !== null) ?? null)
    : null;

/** Names the retry that paid the row, and when: "Paid by a retry: PR123 settled 28 Nov, 12:50". */
export const PaidByRetry = ({ retry }: { readonly retry: ChainLink }) => (
  <>
    {texts.paidByRetry}{" "}
    <PageLink to={`/payouts/${encodeURIComponent(retry.code)}`} isInText>
      {retry.code}
    </PageLink>{" "}
    {retry.state === "settled" ? texts.settledAt : texts.resolvedAt}{" "}
    <Timestamp at={retry.paid_at} relative={false} />
  </>
);
