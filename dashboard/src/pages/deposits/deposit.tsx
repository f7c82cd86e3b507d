import { Alert, Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiProblem, call } from "../../client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { DepositStateBadge } from "../../components/state-badge.tsx";
import { When } from "../../components/when.tsx";
import { useLive } from "../../live.ts";
import { formatMoney } from "../../money.ts";
import { queryClient } from "../../query-client.ts";
import { useMay } from "../../session.ts";
import classes from "../payouts/payout.module.css";
import { Timeline } from "../payouts/timeline.tsx";
import { DepositFacts, PaymentPage } from "./deposit-facts.tsx";
import { FromPayer } from "./from-payer.tsx";
import { depositQuery, type DepositView } from "./deposit-query.ts";

const route = getRouteApi("/desk/deposits/$code");

export function DepositPage() {
  const { code } = route.useParams();
  const mayCollect = useMay("collect");
  const { data: deposit, error, refetch } = useQuery(depositQuery(code));
  useLive([`deposit:${code}`], (_topic, document) =>
    queryClient.setQueryData(depositQuery(code).queryKey, document as DepositView),
  );
  if (error instanceof ApiProblem && error.code === "not_found") {
    return (
      <Page title="No such deposit">
        <EmptyState text={`There is no deposit ${code} in this ledger.`} />
      </Page>
    );
  }
  if (error) {
    return (
      <Page title="Deposit">
        <ErrorState error={error} reset={() => void refetch()} />
      </Page>
    );
  }
  if (!deposit) {
    return (
      <Page title="Deposit">
        <Loading lines={8} />
      </Page>
    );
  }
  return (
    <Page title={`Deposit of ${formatMoney(deposit)}`}>
      <Answered deposit={deposit} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Section title="What happened">
            <Timeline of={deposit} />
          </Section>
        </div>
        <div className={classes.column}>
          <Section title="Deposit">
            <DepositFacts deposit={deposit} />
          </Section>
          <Section title="Payment page">
            <PaymentPage deposit={deposit} />
          </Section>
          <Section title="Actions">
            <Ask deposit={deposit} />
            {mayCollect ? <FromPayer deposit={deposit} /> : null}
          </Section>
        </div>
      </div>
    </Page>
  );
}

const COLOURS = {
  yes: "green",
  no: "gray",
  "not yet": "indigo",
  maybe: "grape",
  late: "gray",
  "see reason": "orange",
} as const;

/** Has the money come in? The first thing on the page, and no more than is proven. */
function Answered({ deposit: { state, outlook, updated_at } }: { readonly deposit: DepositView }) {
  const { paid, answer, next, next_at } = outlook;
  return (
    <Alert color={COLOURS[paid]} variant="light" role="status" aria-live="polite">
      <div className={classes.answer}>
        <DepositStateBadge state={state} />
        <p className={classes.question} data-proven={paid === "yes" || undefined}>
          <strong>Has money come in?</strong> {answer}
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

function Ask({ deposit: { code, actions } }: { readonly deposit: DepositView }) {
  const mayOperate = useMay("operate");
  const isAskable = actions.includes("ask");
  const ask = useMutation({
    mutationFn: () => call("POST /api/deposits/:code/ask", { params: { code } }),
    onSuccess: (next) => void queryClient.setQueryData(depositQuery(code).queryKey, next),
  });
  return (
    <>
      {isAskable && mayOperate ? (
        <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
          Ask the gateway now
        </Button>
      ) : (
        <strong>Ask the gateway now</strong>
      )}
      <p className={classes.why}>
        {isAskable
          ? `${mayOperate ? "" : "An operator can. "}Always safe: it asks, and records what is proven.`
          : "Not now: a request is on its way, and its answer comes first."}
      </p>
      {ask.error ? <ErrorState error={ask.error} /> : null}
    </>
  );
}
