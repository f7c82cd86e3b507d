import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isolateDirection, batchName } from "../../../base/text.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { isNotFound, RecordNotFound } from "../../../components/payout/record-page.tsx";
import { Section } from "../../../components/section.tsx";
import { call } from "../../../server/client.ts";
import { errorText } from "../../../server/error-text.ts";
import { useMay } from "../../../server/session.ts";
import { UploadersOnlyPage } from "../../../components/payout/uploaders-only-page.tsx";
import { messages as intakeTexts } from "../messages.tsx";
import { batchQuery } from "../queries.ts";
import { type Cause, type Retry, ReturnedPayouts, type Share, Unchanged } from "./decisions.tsx";
import { DeclinedGroup, type PageEdits } from "./declined-group.tsx";
import { messages as texts } from "./messages.ts";
import { cellsOf, retryQuery, type RowEdits } from "./queries.ts";
import classes from "./retry.module.css";

const route = getRouteApi("/dashboard/batches/$id/retry");

const REASON_CHARS_MIN = 3;

const NO_PAYOUTS: Share = { count: 0, sums: [] };

/** The page that creates a retry batch: with new details, or unchanged with a reason. */
export function RetryPage() {
  const { id } = route.useParams();
  const { cause } = route.useSearch();
  const mayUpload = useMay("upload");
  const { data: batch } = useQuery(batchQuery(id));
  const { data: retry, error, refetch } = useQuery(retryQuery(id));
  if (!mayUpload)
    return (
      <UploadersOnlyPage title={texts.title} does={texts.does} to="/batches" look={texts.look} />
    );
  if (isNotFound(error)) return <RecordNotFound noun="batch" code={id} />;
  const causes = (retry?.causes ?? []).filter(
    ({ reason }) => cause === undefined || reason === cause,
  );
  const returned =
    (cause === undefined ? retry?.left_out.find(({ why }) => why === "returned") : null) ??
    NO_PAYOUTS;
  return (
    <Page
      crumbs={[
        { to: "/batches", label: texts.crumb },
        { to: `/batches/${id}`, label: batch ? isolateDirection(batchName(batch)) : id },
      ]}
      title={texts.title}
      facts={texts.facts}
    >
      {error ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {retry === undefined ? (
        error ? null : (
          <Loading />
        )
      ) : (
        <>
          {causes.length === 0 && returned.count === 0 ? (
            <EmptyState text={texts.none} />
          ) : (
            <RetryForm key={cause} id={id} causes={causes} returned={returned} />
          )}
          <LeftOut shares={retry.left_out} />
        </>
      )}
    </Page>
  );
}

function RetryForm({
  id,
  causes,
  returned,
}: {
  readonly id: string;
  readonly causes: readonly Cause[];
  readonly returned: Share;
}) {
  const [withReturned, setWithReturned] = useState(false);
  const [edits, setEdits] = useState<ReadonlyMap<string | null, PageEdits>>(new Map());
  const [unchanged, setUnchanged] = useState<readonly string[]>([]);
  const [reason, setReason] = useState("");
  const edited = [...edits.values()].flatMap((rows) => [...rows]);
  const editsOf = (cause: string | null): PageEdits => edits.get(cause) ?? new Map();
  const chosen = withReturned ? returned : NO_PAYOUTS;
  const create = useRetryBatch(id, { edited, unchanged, reason, returned: chosen.sums });
  const left = causes
    .filter(({ reason: cause }) => cause !== null && unchanged.includes(cause))
    .reduce((sum, { count, reason: cause }) => sum + count - editsOf(cause).size, 0);
  const total = edited.length + left + chosen.count;
  const needsReason =
    (unchanged.length > 0 || withReturned) && reason.trim().length < REASON_CHARS_MIN;
  return (
    <>
      <div className={classes.causes}>
        {causes.map((cause) => (
          <CauseSection
            key={cause.reason}
            batchId={id}
            cause={cause}
            isUnchanged={cause.reason !== null && unchanged.includes(cause.reason)}
            retryUnchanged={(isChosen) =>
              setUnchanged([
                ...unchanged.filter((each) => each !== cause.reason),
                ...(isChosen && cause.reason !== null ? [cause.reason] : []),
              ])
            }
            reason={reason}
            setReason={setReason}
            edits={editsOf(cause.reason)}
            change={(line, given) =>
              setEdits(
                new Map(edits).set(cause.reason, changed(editsOf(cause.reason), line, given)),
              )
            }
          />
        ))}
      </div>
      {returned.count === 0 ? null : (
        <ReturnedPayouts
          share={returned}
          isChosen={withReturned}
          choose={setWithReturned}
          reason={reason}
          setReason={setReason}
        />
      )}
      {create.error ? <ErrorState error={create.error} /> : null}
      <div className={classes.bar}>
        <Text size="sm" role="status">
          {texts.summary(edited.length, left + chosen.count)}
          {needsReason ? texts.reasonMissing : ""}
        </Text>
        <Actions total={total} isReady={total > 0 && !needsReason} create={create} />
      </div>
    </>
  );
}

/** The buttons that create the batch and send it for approval, or keep it as a draft. */
const Actions = ({
  total,
  isReady,
  create: { isPending, mutate },
}: {
  readonly total: number;
  readonly isReady: boolean;
  readonly create: ReturnType<typeof useRetryBatch>;
}) => (
  <Group gap="sm">
    <Button variant="default" disabled={!isReady || isPending} onClick={() => mutate("draft")}>
      {texts.draft}
    </Button>
    <Button disabled={!isReady} loading={isPending} onClick={() => mutate("request")}>
      {texts.send(total)}
    </Button>
  </Group>
);

/** The declined payouts with one cause: how they may be retried, and their details. */
function CauseSection({
  batchId,
  cause,
  isUnchanged,
  retryUnchanged,
  reason,
  setReason,
  edits,
  change,
}: {
  readonly batchId: string;
  readonly cause: Cause;
  readonly isUnchanged: boolean;
  readonly retryUnchanged: (isChosen: boolean) => void;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  readonly edits: PageEdits;
  /** Null: the row is no longer edited. */
  readonly change: (line: number, given: RowEdits | null) => void;
}) {
  const badge = (
    <Text size="sm" c="dimmed">
      {texts.count(cause.count)}
    </Text>
  );
  return (
    <Section title={cause.meaning} badge={badge} caption={texts.rule[cause.retry]}>
      <Text size="sm">{texts.ruleText[cause.retry]}</Text>
      {cause.retry === "decision" && cause.reason !== null ? (
        <Unchanged
          cause={cause}
          isChosen={isUnchanged}
          choose={retryUnchanged}
          reason={reason}
          setReason={setReason}
        />
      ) : null}
      <DeclinedGroup batchId={batchId} cause={cause} edits={edits} change={change} />
    </Section>
  );
}

/** Creates the retry batch, sends it for approval unless it stays a draft, and opens it. */
function useRetryBatch(
  id: string,
  {
    edited,
    unchanged,
    reason,
    returned,
  }: {
    readonly edited: readonly (readonly [number, RowEdits])[];
    readonly unchanged: readonly string[];
    readonly reason: string;
    /** The confirmed totals of the returned payouts. Empty: they are not retried. */
    readonly returned: Share["sums"];
  },
) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  // The same request has the same key, so that a second attempt creates no second batch.
  const request = JSON.stringify([edited, unchanged, reason, returned]);
  const [sent, setSent] = useState({ request, key: crypto.randomUUID() });
  if (sent.request !== request) setSent({ request, key: crypto.randomUUID() });
  return useMutation({
    mutationFn: async (as: "draft" | "request") => {
      const { batch_id } = await call("POST /api/batches/:id/retry-batch", {
        params: { id },
        idempotencyKey: sent.key,
        body: {
          edits: edited.map(([line, cells]) => ({ line, cells: cellsOf(cells) })),
          ...(unchanged.length > 0 && { causes: [...unchanged] }),
          ...(returned.length > 0 && { returned }),
          ...(unchanged.length + returned.length > 0 && { reason: reason.trim() }),
        },
      });
      if (as === "request") await sendForApproval(batch_id, queries);
      return batch_id;
    },
    onSuccess: async (batchId) => {
      await queries.invalidateQueries();
      await navigate({ to: `/batches/${batchId}` });
    },
  });
}

/** The batch exists in any case: if it is not sent, it stays a draft, and the reason is shown. */
async function sendForApproval(id: string, queries: QueryClient): Promise<void> {
  const batch = await queries.fetchQuery(batchQuery(id));
  try {
    await call("POST /api/batches/:id/request-approval", {
      params: { id },
      body: { content_digest: batch.content_digest },
    });
    const approvers = batch.policy.possible_approvers.map(isolateDirection);
    notifications.show({ message: intakeTexts.sendForApproval.sent(approvers) });
  } catch (error) {
    const { title, detail } = errorText(error);
    const why = [title, detail].filter(Boolean).join(". ");
    notifications.show({ color: "red", message: texts.notSent(why), autoClose: false });
  }
}

/** Returns the edits with those of one line replaced or removed. */
function changed(edits: PageEdits, line: number, given: RowEdits | null): PageEdits {
  const after = new Map(edits);
  if (given === null) after.delete(line);
  else after.set(line, given);
  return after;
}

/** The payouts that cannot be retried, and why. */
function LeftOut({ shares }: { readonly shares: Retry["left_out"] }) {
  const shown = shares.filter(({ why }) => why !== "settled" && why !== "returned");
  if (shown.length === 0) return null;
  return (
    <Section title={texts.leftOut}>
      {shown.map(({ why, count, says }) => (
        <Text size="sm" key={why}>
          {texts.share(count, says)}
        </Text>
      ))}
    </Section>
  );
}
