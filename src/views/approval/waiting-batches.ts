import type { APPROVAL_LIST_API, ApprovalQuery } from "#api/approval/approval-list.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { missingApprovals, totalsOf } from "#views/approval/approval-state.ts";
import { countFindings } from "#views/approval/listed-findings.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import { findWaitingBatches, whyApprovalsMissing } from "#ledger/approval/waiting-batches.ts";
import { type Batch, findBatches } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { compareAmounts, type Money, sumByCurrency } from "#money/money.ts";

type WaitingBatches = AnswerOf<(typeof APPROVAL_LIST_API)["GET /api/approvals"]>;
type Waiting = WaitingBatches["items"][number];

/** A waiting batch with the sums of its lanes. */
interface Row {
  readonly waiting: Waiting;
  readonly lanes: Batch["lanes"];
}

/** Returns the batches that await approval and match a query, and the numbers of all. */
export async function waitingBatches(
  deps: ServerDeps,
  person: Person,
  { show, text, maker, currency, sort }: ApprovalQuery,
): Promise<WaitingBatches> {
  const all = await findRows(deps, person);
  const others = all.filter(
    ({ waiting: { mine, batch_id, file, name, purpose, totals } }) =>
      (show === "all" || mine) &&
      (text === undefined || [batch_id, file, name, purpose].some(contains(text))) &&
      (currency === undefined || totals.some((total) => total.currency === currency)),
  );
  const found = others.filter(
    ({ waiting }) => maker === undefined || contains(maker)(waiting.maker.name),
  );
  const makers = Map.groupBy(others, ({ waiting }) => waiting.maker.name);
  return {
    items: found.toSorted(ORDERS[sort]).map(({ waiting }) => waiting),
    mine: all.filter(({ waiting }) => waiting.mine).length,
    all: all.length,
    totals: totalsOf(found.flatMap(({ lanes }) => lanes)),
    makers: [...makers].map(([name, batches]) => ({ name, batches: batches.length })),
  };
}

const contains =
  (part: string) =>
  (text: string | null): boolean =>
    text?.toLowerCase().includes(part.toLowerCase()) ?? false;

const NOTHING: Money = { currency: "", minor: 0n, minorDigits: 0 };

const largestTotal = ({ lanes }: Row): Money =>
  [...sumByCurrency(lanes.map(({ total }) => total)).values()].reduce(
    (one, other) => (compareAmounts(one, other) < 0 ? other : one),
    NOTHING,
  );

type Compare = (one: Row, other: Row) => number;

const byUpload: Compare = ({ waiting: one }, { waiting: other }) =>
  one.created_at.localeCompare(other.created_at);
const byTotal: Compare = (one, other) => compareAmounts(largestTotal(one), largestTotal(other));

const ORDERS: Readonly<Record<ApprovalQuery["sort"], Compare>> = {
  oldest: byUpload,
  newest: (one, other) => byUpload(other, one),
  largest: (one, other) => byTotal(other, one),
  smallest: byTotal,
};

async function findRows(deps: ServerDeps, person: Person): Promise<Row[]> {
  const { database } = deps;
  const waiting = await findWaitingBatches(database, person.kind === "user" ? person.id : null);
  const batches = await findBatches(
    database,
    waiting.map(({ batchId }) => batchId),
  );
  const nameOf = await findActorNames(
    database,
    batches.map(({ maker }) => maker),
  );
  const findings = await countFindings(batches, deps);
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  return waiting.flatMap((each) => {
    const batch = byId.get(each.batchId);
    if (!batch) return [];
    const { fileName, name, purpose, createdAt, maker, lanes } = batch;
    return {
      lanes,
      waiting: {
        batch_id: each.batchId,
        file: fileName,
        name,
        purpose,
        created_at: createdAt.toISOString(),
        maker: { actor: maker, name: nameOf(maker) },
        totals: totalsOf(lanes),
        people: each.peopleNeeded,
        why: each.peopleWhy,
        given: each.given,
        missing: missingApprovals(each),
        blocked: whyApprovalsMissing(each),
        findings: findings.get(each.batchId) ?? null,
        needs_duplicate_reason: each.needsDuplicateReason,
        mine: each.mine,
        own: each.own,
        approved: each.approved,
      },
    };
  });
}

/** A record of the file: a batch and its total in one currency; null if it has none. */
interface Line {
  readonly batch: Waiting;
  readonly total: Waiting["totals"][number] | null;
}

/** The columns of the file, with their values. */
const COLUMNS: Readonly<Record<string, (line: Line) => string | number | null | undefined>> = {
  batch_id: ({ batch }) => batch.batch_id,
  name: ({ batch }) => batch.name,
  file: ({ batch }) => batch.file,
  currency: ({ total }) => total?.currency,
  payouts: ({ total }) => total?.payouts,
  amount: ({ total }) => total?.amount,
  uploaded_by: ({ batch }) => batch.maker.name,
  uploaded_at: ({ batch }) => batch.created_at,
  approvals_given: ({ batch }) => batch.given,
  approvals_missing: ({ batch }) => batch.missing,
  blocked: ({ batch }) => batch.blocked,
};

/** Returns the records of a file with the batches that match a query, starting with the header. */
export async function waitingRecords(
  deps: ServerDeps,
  person: Person,
  query: ApprovalQuery,
): Promise<string[][]> {
  const { items } = await waitingBatches(deps, person, query);
  const lines = items.flatMap((batch): Line[] =>
    batch.totals.length === 0
      ? [{ batch, total: null }]
      : batch.totals.map((total) => ({ batch, total })),
  );
  return [
    Object.keys(COLUMNS),
    ...lines.map((line) =>
      Object.values(COLUMNS).map((value) => formulaSafe(String(value(line) ?? ""))),
    ),
  ];
}
