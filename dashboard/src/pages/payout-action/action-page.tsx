import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ExportMenu } from "../../components/export-menu.tsx";
import { FactList, type Facts } from "../../components/fact-list.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { isNotFound } from "../../components/payout/record-page.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { addressOf } from "../../server/address.ts";
import { ActionDecision } from "./action-decision.tsx";
import { LeftPayouts, PayoutTotals } from "./action-figures.tsx";
import { type PayoutAction, payoutActionQuery } from "./action-query.ts";
import { messages } from "./messages.ts";
import classes from "./payout-action.module.css";

const texts = messages.page;
const crumbs = [{ to: "/payouts", label: texts.crumb }];

const route = getRouteApi("/dashboard/payout-actions/$id");

/** Loaded after the result. */
const ActionPayouts = lazy(async () => ({
  default: (await import("./action-payouts.tsx")).ActionPayouts,
}));

/** The page of one bulk action: its result, its payouts, and the decision of the approver. */
export function PayoutActionPage() {
  const { id } = route.useParams();
  const { data: action, error, refetch } = useQuery(payoutActionQuery(id));
  if (isNotFound(error)) {
    return (
      <Page title={texts.missing} crumbs={crumbs}>
        <EmptyState text={texts.missingText} />
      </Page>
    );
  }
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (!action) {
    return (
      <Page title={texts.loading} crumbs={crumbs}>
        {failed ?? <Loading lines={8} />}
      </Page>
    );
  }
  return (
    <Page
      title={texts.titles[action.action]((action.changed ?? action.qualifying).count)}
      crumbs={crumbs}
      facts={texts.states[action.state]}
      actions={<ExportMenu addressOf={fileOf(id)} />}
    >
      {failed}
      {action.state === "proposed" ? <Decision of={action} /> : null}
      <Result of={action} />
      <Suspense fallback={<Loading lines={8} />}>
        <ActionPayouts id={id} version={action.state} />
      </Suspense>
    </Page>
  );
}

/** Returns the address of a file with the payouts of the action and their outcomes. */
const fileOf = (id: string) => (format: "csv" | "xlsx") =>
  addressOf("GET /api/payout-actions/:id/export", { params: { id }, query: { format } }).address;

interface Of {
  readonly of: PayoutAction;
}

const Decision = ({ of }: Of) => (
  <Section title={texts.decision}>
    <div className={classes.decision}>
      <Text size="sm">{texts.explained}</Text>
      <ActionDecision of={of} />
    </div>
  </Section>
);

function Result({ of }: Of) {
  const { changed, qualifying, left, not_qualifying } = of;
  const figures = changed ?? qualifying;
  return (
    <Section title={texts.result}>
      <div className={classes.result}>
        <FactList facts={factsOf(of)} />
        {figures.count > 0 ? <PayoutTotals of={figures.totals} /> : null}
        <LeftPayouts title={messages.dialog.unchanged} of={not_qualifying} />
        <LeftPayouts title={messages.dialog.left} of={left ?? []} />
      </div>
    </Section>
  );
}

const factsOf = (of: PayoutAction): Facts => [
  [texts.by, of.created_by.name],
  of.applied_at === null
    ? [texts.at, <Timestamp key="at" at={of.created_at} />]
    : [texts.appliedAt, <Timestamp key="at" at={of.applied_at} />],
  ...(of.action === "assign" && of.state === "applied"
    ? [[texts.assignedTo, of.assigned_to?.name ?? texts.nobody] as const]
    : []),
  ...(of.reason === null ? [] : [[texts.reason, of.reason] as const]),
  ...(of.decided_by === null
    ? []
    : [
        [texts.decidedBy, of.decided_by.name] as const,
        [texts.decidedAt, <Timestamp key="decided" at={of.decided_at} />] as const,
      ]),
  ...(of.rejection === null ? [] : [[texts.rejection, of.rejection] as const]),
];
