import type { BATCH_PAGE_API } from "#api/approval/batch-page.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { findAuditLines } from "#ledger/integrity/audit-lines.ts";
import {
  findUnsettledGroups,
  type ProgressCourse,
  findProgressCourse,
} from "#ledger/operations/batch-progress.ts";
import { processName } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";
import { amountOf } from "#money/format.ts";
import { REASONS, reasonCode } from "#payout/reasons.ts";

const TIMELINE_MAX = 200;

/** Returns the progress of a batch over time, with the reasons of its payouts. */
export async function batchProgress(
  database: Database,
  batchId: string,
): Promise<AnswerOf<(typeof BATCH_PAGE_API)["GET /api/batches/:id/progress"]>> {
  const [course, reasons] = await Promise.all([
    findProgressCourse(database, batchId),
    findUnsettledGroups(database, batchId),
  ]);
  return {
    sampled: course?.sampled ?? 0,
    points: course ? pointsOf(course) : [],
    reasons: reasons.map(({ state, cause, count, sum }) => {
      const code = reasonCode(cause);
      return { state, reason: cause, meaning: code && REASONS[code], count, ...amountOf(sum) };
    }),
  };
}

/** Returns the recorded actions of people on a batch. */
export async function batchTimeline(
  database: Database,
  batchId: string,
): Promise<AnswerOf<(typeof BATCH_PAGE_API)["GET /api/batches/:id/timeline"]>> {
  const page = { after: 0, limit: TIMELINE_MAX };
  const lines = await findAuditLines(database, { object: batchId }, page);
  return {
    items: lines.map(({ at, actor, actorName, action, facts }) => {
      const words = facts["question"] ?? facts["reason"] ?? facts["purpose"];
      return {
        at,
        by: { actor, name: actorName ?? processName(actor) ?? actor },
        action,
        text: typeof words === "string" ? words : null,
      };
    }),
  };
}

function pointsOf({ steps, sampled, payouts, stepSeconds }: ProgressCourse) {
  const scale = sampled === 0 ? 1 : payouts / sampled;
  const whole = (count: number) => Math.round(count * scale);
  return steps.map(({ at, sent, paid, notPaid, answers, p95Ms }) => ({
    at: at.toISOString(),
    sent: whole(sent),
    settled: whole(paid),
    declined: whole(notPaid),
    answers_per_second: Math.round(((answers * scale) / stepSeconds) * 10) / 10,
    p95_ms: p95Ms === null ? null : Math.round(p95Ms),
  }));
}
