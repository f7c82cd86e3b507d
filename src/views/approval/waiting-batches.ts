import type { APPROVAL_LIST_API, ApprovalQuery } from "#api/approval/approval-list.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { missingApprovals, totalsOf } from "#views/approval/approval-state.ts";
import { countFindings } from "#views/approval/listed-findings.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Person } from "#views/person.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import { findWaitingBatches, whyApprovalsMissing } from "#ledger/approval/waiting-batches.ts";
import { type Batch, findBatches } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { compareAmounts, type Money, sumByCurrency } from "#money/money.ts";

type WaitingBatches = AnswerOf<(typeof APPROVAL_LIST_API)["GET /api/approvals"]>;
type Waiting = WaitingBatches["items"][number];

/** A waiting batch as it is stored, and as it is listed. */
interface Row {
  readonly batch: Batch;
  readonly waiting: Omit<Waiting, "findings">;
}

/** Returns the batches that await approval and match a query, and the numbers of all. */
export async function waitingBatches(
  deps: ServerDeps,
  person: Person,
  query: ApprovalQuery,
): Promise<WaitingBatches> {
  const { all, others, found } = await findRows(deps.database, person, query);
  const findings = await countFindings(
    found.map(({ batch }) => batch),
    deps,
  );
  const makers = Map.groupBy(others, ({ waiting }) => waiting.maker.name);
  return {
    items: found.map(({ batch, waiting }) => ({
      ...waiting,
      findings: findings.get(batch.id) ?? null,
    })),
    mine: all.filter(({ waiting }) => waiting.mine).length,
    all: all.length,
    totals: totalsOf(found.flatMap(({ batch }) => batch.lanes)),
    makers: [...makers].map(([name, batches]) => ({ name, batches: batches.length })),
  };
}

/** Returns all waiting batches, those of any maker that match a query, and the sorted matches. */
async function findRows(
  database: Database,
  person: Person,
  { show, text, maker, currency, sort }: ApprovalQuery,
): Promise<Record<"all" | "others" | "found", readonly Row[]>> {
  const all = await findAll(database, person);
  const others = all.filter(
    ({ waiting: { mine, batch_id, file, name, purpose, totals } }) =>
      (show === "all" || mine) &&
      (text === undefined || [batch_id, file, name, purpose].some(contains(text))) &&
      (currency === undefined || totals.some((total) => total.currency === currency)),
  );
  const found = others.filter(
    ({ waiting }) => maker === undefined || contains(maker)(waiting.maker.name),
  );
  return { all, others, found: found.toSorted(ORDERS[sort]) };
}

const contains =
  (part: string) =>
  (text: string | null): boolean =>
    text?.toLowerCase().includes(part.toLowerCase()) ?? false;

const NOTHING: Money = { currency: "", minor: 0n, minorDigits: 0 };

const largestTotal = ({ batch }: Row): Money =>
  [...sumByCurrency(batch.lanes.map(({ total }) => total)).values()].reduce(
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

async function findAll(database: Database, person: Person): Promise<Row[]> {
  const waiting = await findWaitingBatches(database, person.kind === "user" ? person.id : null);
  const batches = await findBatches(
    database,
    waiting.map(({ batchId }) => batchId),
  );
  const nameOf = await findActorNames(
    database,
    batches.map(({ maker }) => maker),
  );
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  return waiting.flatMap((each) => {
    const batch = byId.get(each.batchId);
    if (!batch) return [];
    const { fileName, name, purpose, createdAt, maker, lanes } = batch;
    return {
      batch,
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
  readonly batch: Row["waiting"];
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
  database: Database,
  person: Person,
  query: ApprovalQuery,
): Promise<string[][]> {
  const { found } = await findRows(database, person, query);
  const lines = found.flatMap(({ waiting: batch }): Line[] =>
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
