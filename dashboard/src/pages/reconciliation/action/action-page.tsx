import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { FactList, type Facts } from "../../../components/fact-list.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { isNotFound } from "../../../components/payout/record-page.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import type { BreakAction } from "./break-action.ts";
import { messages as bulkMessages } from "./bulk-messages.ts";
import { messages as listMessages } from "../messages.ts";
import { BreakKinds, Explanations, LeftBreaks } from "./action-figures.tsx";
import { breakActionQuery } from "./action-query.ts";
import { messages } from "./messages.ts";

const crumbs = [{ to: "/reconciliation", label: listMessages.title }];

const route = getRouteApi("/dashboard/reconciliation/actions/$id");

/** Loaded after the result. */
const ActionBreaks = lazy(async () => ({
  default: (await import("./action-breaks.tsx")).ActionBreaks,
}));

/** The page of one action on several breaks: its preview, its result, and its breaks. */
export function BreakActionPage() {
  const { id } = route.useParams();
  const { data: action, error, refetch } = useQuery(breakActionQuery(id));
  if (isNotFound(error)) {
    return (
      <Page title={messages.missing} crumbs={crumbs}>
        <EmptyState text={messages.missingText} />
      </Page>
    );
  }
  const failed = error ? <ErrorState error={error} reset={() => void refetch()} /> : null;
  if (!action) {
    return (
      <Page title={messages.loading} crumbs={crumbs}>
        {failed ?? <Loading lines={8} />}
      </Page>
    );
  }
  const texts = bulkMessages.actions[action.action];
  const isApplied = action.applied_at !== null;
  return (
    <Page
      title={isApplied ? texts.done(action.changed ?? 0) : texts.title}
      crumbs={crumbs}
      facts={isApplied ? undefined : messages.unused}
    >
      {failed}
      <Result of={action} />
      <Suspense fallback={<Loading lines={8} />}>
        <ActionBreaks id={id} version={action.applied_at ?? ""} />
      </Suspense>
    </Page>
  );
}

interface Of {
  readonly of: BreakAction;
}

const sumOf = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** The previewed breaks, with the reasons for unchanged ones. */
function Result({ of }: Of) {
  const { qualifying, not_qualifying: excluded, left, applied_at } = of;
  const title = messages.previewed(qualifying.count);
  return (
    <Section title={messages.result}>
      <Stack gap="sm">
        <FactList facts={factsOf(of)} />
        <div>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          {qualifying.count > 0 ? <BreakKinds caption={title} of={qualifying.kinds} /> : null}
        </div>
        <Explanations of={of} />
        {applied_at !== null && qualifying.count > 0 && left?.length === 0 ? (
          <Text size="sm">{messages.changedAll}</Text>
        ) : null}
        <LeftBreaks title={messages.left(sumOf(left ?? []))} of={left ?? []} />
        <LeftBreaks title={messages.excluded(sumOf(excluded))} of={excluded} />
      </Stack>
    </Section>
  );
}

const factsOf = ({ action, created_by, created_at, applied_at, ...of }: BreakAction): Facts => [
  [messages.by, created_by.name],
  applied_at === null
    ? [messages.at, <Timestamp key="at" at={created_at} relative={false} />]
    : [messages.appliedAt, <Timestamp key="at" at={applied_at} relative={false} />],
  ...(action === "assign" && applied_at !== null
    ? [[messages.assignee, of.assigned_to?.name ?? messages.nobody] as const]
    : []),
  [messages.digest, <code key="digest">{of.digest.slice(0, DIGEST_CHARS)}…</code>],
];

/** As in the audit log. */
const DIGEST_CHARS = 12;
