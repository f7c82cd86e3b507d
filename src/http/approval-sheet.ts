import type { z } from "zod";
import type { APPROVAL_API } from "#api/approvals.ts";
import { BATCHES_BEFORE, hundredths, ROW_CHECKS, timesText, totalAgainst } from "#batch/unusual.ts";
import {
  allowedUnless,
  amountOf,
  mayApproveNow,
  policyOf,
  totalsOf,
  waitingOf,
} from "#http/approval-words.ts";
import type { Desk } from "#http/desk.ts";
import type { Person } from "#http/person.ts";
import { Problem } from "#http/problems.ts";
import { namesOf } from "#ledger/people/names.ts";
import { type RowFinding, totalsBefore, unusualRows } from "#ledger/unusual.ts";
import { formatMoney } from "#money/format.ts";

type Sheet = z.output<(typeof APPROVAL_API)["GET /api/batches/:id/approval"]["answer"]>;
type Unusual = Sheet["unusual"];

/** What is looked at before a batch is approved. */
export async function sheetOf(batchId: string, person: Person, desk: Desk): Promise<Sheet> {
  const { ledger, database } = desk;
  const batch = await ledger.findBatch({ id: batchId });
  const waiting = await waitingOf(desk, batchId, person);
  if (!batch || !waiting) throw new Problem("not_found");
  const { maker, state, contentDigest } = batch;
  const nameOf = await namesOf(database, [maker]);
  const isWaiting = state === "awaiting_approval";
  return {
    batch_id: batch.id,
    file: batch.fileName,
    state,
    reason: batch.reason,
    created_at: batch.createdAt.toISOString(),
    maker: { actor: maker, name: nameOf(maker) },
    content_digest: contentDigest,
    rows: batch.rows,
    rejected: batch.rejected,
    totals: totalsOf(batch.lanes),
    policy: await policyOf(desk, waiting, state),
    unusual: await unusualOnce(batchId, contentDigest, desk),
    you: {
      approve: mayApproveNow(person, waiting, state),
      reject: allowedUnless(
        !person.permissions.has("approve") && "You are not an approver.",
        !isWaiting && "It does not wait for approval.",
      ),
      withdraw: allowedUnless(!(waiting.approved && isWaiting) && "You have not approved it."),
    },
  };
}

/** Kept for a moment: an approver opens and closes it, and two of them look at the same time. */
const FRESH_MS = 30_000;
const known = new Map<string, { readonly untilMs: number; readonly unusual: Promise<Unusual> }>();

function unusualOnce(batchId: string, contentDigest: string, desk: Desk): Promise<Unusual> {
  const nowMs = desk.clock.monotonicMs();
  for (const [key, { untilMs }] of known) if (untilMs < nowMs) known.delete(key);
  const key = `${batchId} ${contentDigest}`;
  const found = known.get(key)?.unusual ?? unusualIn(batchId, desk);
  if (!known.has(key)) known.set(key, { untilMs: nowMs + FRESH_MS, unusual: found });
  found.catch(() => known.delete(key));
  return found;
}

async function unusualIn(batchId: string, { database, sealer, rows }: Desk): Promise<Unusual> {
  const [found, totals] = await Promise.all([
    unusualRows(database, sealer, batchId, rows.amountLimits),
    totalsBefore(database, batchId),
  ]);
  return {
    found: found.map(shownFinding),
    totals: totals.map(({ total, before }) => {
      const against = totalAgainst(total.minor, before);
      return {
        ...amountOf(total),
        usual: against && formatMoney({ ...total, minor: against.middle }),
        times: against && timesText(against.ratio),
        batches: before.length,
        far: against?.isFar ?? false,
      };
    }),
    checks: [
      ...Object.values(ROW_CHECKS),
      `a total far from the last ${BATCHES_BEFORE} batches of its currency`,
    ],
  };
}

const shownFinding = ({ check, count, sums, rows }: RowFinding): Unusual["found"][number] => ({
  check,
  says: ROW_CHECKS[check],
  count,
  sums: sums.map(amountOf),
  rows: rows.map(({ line, transactionCode, name, money, against, elsewhere }) => ({
    line,
    code: transactionCode,
    beneficiary: name,
    ...amountOf(money),
    against: against && formatMoney(against),
    times: against && timesText(hundredths(money.minor, against.minor)),
    elsewhere: elsewhere && { batch_id: elsewhere.batchId, line: elsewhere.line },
  })),
});
