import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { StateSummary } from "../../components/payout/state-summary.tsx";
import { TwoColumns } from "../../components/two-columns.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Page } from "../../components/page.tsx";
import { PayoutTable } from "../../components/payout/payout-table.tsx";
import { Section } from "../../components/section.tsx";
import { PayoutStateBadge } from "../../components/payout/state-badge.tsx";
import { RecordPage } from "../../components/payout/record-page.tsx";
import { Timeline } from "../../components/payout/timeline.tsx";
import { useLive } from "../../server/live.ts";
import { formatMoney } from "../../base/money.ts";
import { isolateDirection } from "../../base/text.ts";
import { PayoutActions } from "./actions.tsx";
import { PayoutFacts } from "./facts.tsx";
import { PayoutAssignment } from "./payout-assignment.tsx";
import classes from "./payout.module.css";
import { messages } from "./messages.ts";
import { cachePayout, payoutQuery, type PayoutView } from "./payout-query.ts";

const texts = messages.payout;

const route = getRouteApi("/dashboard/payouts/$code");

/** The page of one payout, updated by the live stream. */
export function PayoutPage() {
  const { code } = route.useParams();
  const found = useQuery(payoutQuery(code));
  useLive([`payout:${code}`], (_topic, document) => cachePayout(document as PayoutView));
  return (
    <RecordPage noun="payout" code={code} found={found}>
      {(payout) => <PayoutContent payout={payout} />}
    </RecordPage>
  );
}

function PayoutContent({ payout }: { readonly payout: PayoutView }) {
  const { beneficiary, chain, outlook, related, related_days } = payout;
  return (
    <Page
      title={texts.title(formatMoney(payout), isolateDirection(beneficiary ?? texts.noBeneficiary))}
    >
      <StateSummary
        badge={<PayoutStateBadge state={payout.state} />}
        colour={payout.state === "resolved" ? "gray" : COLOURS[outlook.moved]}
        isProven={outlook.moved === "yes" || outlook.moved === "returned"}
        question={texts.question}
        outlook={outlook}
        changedAt={payout.updated_at}
      />
      <TwoColumns
        main={
          <>
            <Section title={texts.timeline}>
              <Timeline of={payout} />
            </Section>
            <Section title={texts.related(related_days)}>
              {related.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {texts.noRelated}
                </Text>
              ) : (
                <PayoutTable caption={texts.relatedCaption} hideCaption rows={related} />
              )}
            </Section>
          </>
        }
        side={
          <>
            <Section title={texts.facts}>
              <PayoutFacts payout={payout} />
            </Section>
            {chain.length === 0 ? null : <Chain of={chain} code={payout.code} />}
            {payout.assignment ? (
              <Section title={texts.assignment}>
                <PayoutAssignment payout={payout} triage={payout.assignment} />
              </Section>
            ) : null}
            <Section title={texts.actions}>
              <PayoutActions payout={payout} />
            </Section>
          </>
        }
      />
    </Page>
  );
}

/** The payouts of one row: the declined ones and their retries, oldest first. */
function Chain({ of, code }: { readonly of: PayoutView["chain"]; readonly code: string }) {
  return (
    <Section title={texts.chain}>
      <ol className={classes.chain} aria-label={texts.chainLabel}>
        {of.map((link) => (
          <li key={link.code}>
            {link.code === code ? (
              <Text size="sm">{texts.thisPayout}</Text>
            ) : (
              <PageLink to={`/payouts/${encodeURIComponent(link.code)}`}>{link.code}</PageLink>
            )}
            <PayoutStateBadge state={link.state} />
            <PageLink to={`/batches/${link.batch_id}`}>{link.batch_id}</PageLink>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  not_yet: "indigo",
  maybe: "grape",
  see_reason: "orange",
  returned: "cyan",
} as const;
