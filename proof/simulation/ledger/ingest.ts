import { createHash } from "node:crypto";
import { whyPeopleNeeded } from "#approval/approval-policy.ts";
import { stateWhenValid } from "#intake/batch/batch-lifecycle.ts";
import type { NewBatch } from "#ledger/intake/ingest.ts";
import type { RejectedRow } from "#intake/row.ts";
import type { NewPayout, OtherRows } from "#ledger/intake/row-writer.ts";
import { NotRetryable } from "#ledger/payout/retry-batches.ts";
import type { Batch } from "#ledger/ledger.ts";
import { RECENT_DAYS } from "#ledger/intake/paid-lately.ts";
import { accountText, payloadText } from "#payout/payout.ts";
import { recordDescendant, refuseUnlessDeclined } from "./retry-batches.ts";
import { findBatch, totalsOf } from "./batches.ts";
import { setSendTime } from "./send-times.ts";
import type { BatchRow, PayoutRow, Tables } from "./tables.ts";

/** What src/ledger/intake/ingest.ts writes, in memory. */

const DAY_MS = 86_400_000;

/** A batch that is being written: invisible before its commit. */
export interface Draft extends NewBatch {
  readonly payouts: NewPayout[];
  readonly rejected: RejectedRow[];
}

/** PostgreSQL's message when a unique index refuses a row. */
class UniqueViolation extends Error {
  readonly code = "23505";
  readonly constraint: string;

  constructor(constraint: string) {
    super(`duplicate key value violates unique constraint "${constraint}"`);
    this.constraint = constraint;
  }
}

/** The error of the unique index on file digests. */
export const digestTaken = (): Error => new UniqueViolation("batches_digest_key");

/** Finds the rows that already use one of these transaction codes. */
export function codesInUse(tables: Tables, codes: readonly string[]) {
  const found = new Map<string, { batchId: string; line: number }>();
  for (const code of codes) {
    const payout = tables.byCode.get(code);
    if (payout) found.set(code, { batchId: payout.batchId, line: payout.line });
  }
  return found;
}

const accountOf = ({ money, details }: NewPayout["order"]): string =>
  `${accountText(money.currency, details)} ${money.minor}`;

const UNPAID: ReadonlySet<string> = new Set(["cancelled", "declined"]);

/** Finds for each new payout the latest recent payout that it duplicates. */
export function findRecentPayments(
  tables: Tables,
  payouts: readonly NewPayout[],
  nowMs: number,
): OtherRows {
  const found = new Map<NewPayout, { batchId: string; line: number }>();
  for (const payout of payouts) {
    const latest = tables.byAccount.get(accountOf(payout.order))?.findLast(({ batchId, state }) => {
      const batch = tables.batches.get(batchId);
      const isLate = batch && batch.createdMs > nowMs - RECENT_DAYS * DAY_MS;
      return isLate && batch.state !== "cancelled" && !UNPAID.has(state);
    });
    if (latest) found.set(payout, { batchId: latest.batchId, line: latest.line });
  }
  return found;
}

const ONE_PERSON = {
  peopleNeeded: 1,
  peopleWhy: whyPeopleNeeded({ people: 1, rule: null }),
} as const;

/** The whole batch at once, or a violation and nothing. */
export function commitBatch(
  tables: Tables,
  {
    id,
    digest,
    fileName,
    actor,
    send,
    payouts,
    rejected,
    retryOf,
    canary = 0,
    priority = "normal",
  }: Draft,
  facts: Readonly<Record<string, unknown>>,
  nowMs: number,
): void {
  if (findBatch(tables, { digest })) throw digestTaken();
  const codes = new Set(payouts.map(({ order }) => order.transactionCode));
  if (codes.size < payouts.length || codesInUse(tables, [...codes]).size > 0) {
    throw new UniqueViolation("payout_details_code");
  }
  if (retryOf && payouts.length < retryOf.parents.size) throw new NotRetryable();
  if (retryOf) refuseUnlessDeclined(tables, [...retryOf.parents.values()]);
  const content = createHash("sha256");
  const lanes = new Map<string, PayoutRow[]>();
  for (const payout of payouts) {
    const { lane, order } = payout;
    const row = newPayout(tables.payouts.length + 1, id, payout, nowMs);
    content.update(row.payload);
    tables.payouts.push(row);
    tables.byCode.set(order.transactionCode, row);
    push(tables.byAccount, accountOf(order), row);
    push(lanes, lane, row);
    const parentId = retryOf?.parents.get(payout.line);
    if (parentId !== undefined) recordDescendant(tables, row.id, parentId);
  }
  const batch: BatchRow = {
    id,
    digest,
    contentDigest: content.digest("hex"),
    fileName,
    state: rejected.length === 0 ? stateWhenValid(actor) : "needs_correction",
    reason: null,
    rows: payouts.length + rejected.length,
    rejected,
    cancelling: false,
    canary,
    canaries: new Map(),
    facts: facts as unknown as Batch["facts"],
    lanes: totalsOf(lanes),
    payouts: lanes,
    createdMs: nowMs,
    approvedAt: null,
    finishedAt: null,
    maker: actor,
    priority,
    turns: new Map(),
    // There are no users here, so nobody has set a rule.
    ...ONE_PERSON,
  };
  tables.batches.set(id, batch);
  if (send) setSendTime(tables, id, send);
  if (retryOf) tables.retryBatches.set(id, retryOf.batchId);
  tables.audit.push({ actor, action: "ingest", object: id, facts: { file: fileName, digest } });
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function newPayout(
  id: number,
  batchId: string,
  { line, lane, order, cells }: NewPayout,
  nowMs: number,
): PayoutRow {
  return {
    id,
    batchId,
    line,
    lane,
    order,
    cells,
    payload: payloadText(order),
    state: "awaiting_approval",
    reason: null,
    dueMs: nowMs,
    seq: 0,
    attempts: 0,
    crashes: 0,
    queryCount: 0,
    statusAnswer: null,
    statusAnswerTimes: 0,
    silentMs: null,
    statusAnswerSinceMs: null,
    statusAnswerAtMs: null,
    unansweredMs: null,
    isRepeated: false,
    checkMs: null,
    maybeArrived: false,
    gatewayNumber: null,
    firstSentMs: null,
    lastSentMs: null,
    queriedMs: null,
    attempted: [],
    transitions: [],
    evidence: [],
  };
}
