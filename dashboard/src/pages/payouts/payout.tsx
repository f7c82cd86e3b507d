import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiProblem } from "../../client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PayoutTable } from "../../components/payout-table.tsx";
import { Section } from "../../components/section.tsx";
import { PayoutStateBadge } from "../../components/state-badge.tsx";
import { When } from "../../components/when.tsx";
import { useLive } from "../../live.ts";
import { formatMoney } from "../../money.ts";
import { queryClient } from "../../query-client.ts";
import { Actions } from "./actions.tsx";
import { Facts } from "./facts.tsx";
import classes from "./payout.module.css";
import { payoutQuery, type PayoutView } from "./payout-query.ts";
import { Timeline } from "./timeline.tsx";

const route = getRouteApi("/desk/payouts/$code");

export function PayoutPage() {
  const { code } = route.useParams();
  const { data: payout, error, refetch } = useQuery(payoutQuery(code));
  useLive([`payout:${code}`], (_topic, document) =>
    queryClient.setQueryData(payoutQuery(code).queryKey, document as PayoutView),
  );
  if (error instanceof ApiProblem && error.code === "not_found") {
    return (
      <Page title="No such payout">
        <EmptyState text={`There is no payout ${code} in this ledger.`} />
      </Page>
    );
  }
  if (error) {
    return (
      <Page title="Payout">
        <ErrorState error={error} reset={() => void refetch()} />
      </Page>
    );
  }
  if (!payout) {
    return (
      <Page title="Payout">
        <Loading lines={8} />
      </Page>
    );
  }
  return <Told payout={payout} />;
}

function Told({ payout }: { readonly payout: PayoutView }) {
  const { beneficiary, chain, related, related_days } = payout;
  return (
    <Page title={`${formatMoney(payout)} to ${beneficiary ?? "an unnamed account"}`}>
      <Answered payout={payout} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Section title="What happened">
            <Timeline of={payout} />
          </Section>
          <Section title={`Others to this account in ${related_days} days`}>
            {related.length === 0 ? (
              <Text size="sm" c="dimmed">
                None.
              </Text>
            ) : (
              <PayoutTable caption="Others to this account" hideCaption rows={related} />
            )}
          </Section>
        </div>
        <div className={classes.column}>
          <Section title="Payout">
            <Facts payout={payout} />
          </Section>
          {chain.length === 0 ? null : <Chain of={chain} code={payout.code} />}
          <Section title="Actions">
            <Actions payout={payout} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

/** Declined and paid again: every payout of the row, in the order in which they were made. */
function Chain({ of, code }: { readonly of: PayoutView["chain"]; readonly code: string }) {
  return (
    <Section title="Paid again">
      <ol className={classes.chain} aria-label="The payouts of this row">
        {of.map((link) => (
          <li key={link.code}>
            {link.code === code ? (
              <Text size="sm">This payout</Text>
            ) : (
              <Go to={`/payouts/${encodeURIComponent(link.code)}`}>{link.code}</Go>
            )}
            <PayoutStateBadge state={link.state} />
            <Go to={`/batches/${link.batch_id}`}>{link.batch_id}</Go>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  "not yet": "indigo",
  maybe: "grape",
  "see reason": "orange",
  back: "cyan",
} as const;

/** Was it paid? The first thing on the page, and no more than is proven. */
function Answered({ payout: { state, outlook, updated_at } }: { readonly payout: PayoutView }) {
  const { moved, answer, next, next_at } = outlook;
  const isProven = moved === "yes" || moved === "back";
  return (
    <Alert color={COLOURS[moved]} variant="light" role="status" aria-live="polite">
      <div className={classes.answer}>
        <PayoutStateBadge state={state} />
        <p className={classes.question} data-proven={isProven || undefined}>
          <strong>Has money moved?</strong> {answer}
        </p>
        <Text size="sm">
          <strong>Next:</strong> {next} {next_at ? <When at={next_at} /> : null}
        </Text>
        <Text size="xs" c="dimmed">
          Last change <When at={updated_at} />
        </Text>
      </div>
    </Alert>
  );
}
