import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { BatchView } from "#api/approval/batch-page.ts";
import { standingText } from "#intake/batch/batch-lifecycle.ts";
import {
  allowedUnless,
  mayApproveNow,
  mayPrioritize,
  mayRelease,
  waitingOf,
} from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import type { Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { auditLines } from "#ledger/integrity/audit-lines.ts";
import { causesOf, type Course, courseOf } from "#ledger/operations/batch-progress.ts";
import { decideQuarantine } from "#ledger/intake/quarantine.ts";
import { amountOf } from "#money/format.ts";
import { REASONS, reasonCode } from "#payout/reasons.ts";

type View = z.output<typeof BatchView>;

const TIMELINE_MAX = 200;

/** Adds the API routes for the batch page. */
export function batchPageRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { ledger, database, clock } = desk;

  route(app, desk, "GET /api/batches/:id", async ({ params, person }) => {
    const view = (await live.look(`batch:${params.id}`)) as View;
    const waiting = await waitingOf(desk, params.id, person);
    if (!waiting) throw notFound(params.id);
    return {
      ...view,
      you: {
        approve: mayApproveNow(person, waiting, view.state),
        ...steering(person, view),
        ...timing(person, view, waiting.own),
        release_quarantine: mayRelease(person, view.quarantine),
      },
    };
  });

  route(app, desk, "GET /api/batches/:id/progress", async ({ params }) => {
    const [course, reasons] = await Promise.all([
      courseOf(database, params.id),
      causesOf(database, params.id),
    ]);
    return {
      sampled: course?.sampled ?? 0,
      points: course ? pointsOf(course) : [],
      reasons: reasons.map(({ state, cause, count, sum }) => {
        const code = reasonCode(cause);
        return { state, reason: cause, meaning: code && REASONS[code], count, ...amountOf(sum) };
      }),
    };
  });

  route(app, desk, "GET /api/batches/:id/timeline", async ({ params }) => {
    const page = { after: 0, limit: TIMELINE_MAX };
    const lines = await auditLines(database, { object: params.id }, page);
    return {
      items: lines.map(({ at, actor, actorName, action, facts }) => {
        const words = facts["question"] ?? facts["reason"] ?? facts["purpose"];
        return {
          at,
          by: { actor, name: actorName ?? actor },
          action,
          text: typeof words === "string" ? words : null,
        };
      }),
    };
  });

  route(app, desk, "POST /api/batches/:id/release-quarantine", async ({ params, body, person }) => {
    const { reason } = body;
    const order = { batchId: params.id, reason, actor: person.actor, at: new Date(clock.nowMs()) };
    const isDone = await database
      .transaction()
      .execute((transaction) => decideQuarantine(transaction, { ...order, decision: "released" }));
    if (!isDone) throw new Problem("not_quarantined");
    live.forget(`batch:${params.id}`);
  });

  route(app, desk, "POST /api/batches/:id/canary", async ({ params, body, person }) => {
    const order = { batchId: params.id, payouts: body.payouts, actor: person.actor };
    if (!(await ledger.setCanary(order))) {
      const batch = await ledger.findBatch({ id: params.id });
      if (!batch) throw notFound(params.id);
      throw new Problem("wrong_state", { detail: standingText(batch.state) });
    }
    live.forget(`batch:${params.id}`);
  });
}

/**
 * Lists the actions of this person on a batch in progress, each with the reason why it is not
 * allowed.
 */
function steering(person: Person, { state, lanes, canary, maker, finished_at: finishedAt }: View) {
  const operator = !person.permissions.has("operate") && "You are not an operator.";
  const isStopped = lanes.some(({ stopped }) => stopped !== null);
  const isOpen = state === "approved" || state === "paused";
  const waits = isOpen && canary.lanes.some((each) => each.state !== "released");
  const failed = canary.lanes.some((each) => each.state === "failed");
  const unsent = lanes
    .flatMap((lane) => lane.states)
    .some((each) => each.state === "approved" || each.state === "awaiting_approval");
  return {
    pause: allowedUnless(operator, state !== "approved" && "The batch is not being sent."),
    resume: allowedUnless(
      operator,
      state !== "paused" &&
        !(state === "approved" && isStopped) &&
        "The batch is neither paused nor stopped.",
      failed && "The canary did not settle: release or cancel the other payouts.",
    ),
    release: allowedUnless(
      operator,
      !waits && "No payouts in this batch are waiting for a canary.",
    ),
    set_canary: allowedUnless(
      !person.permissions.has("approve") && "You are not an approver.",
      state !== "awaiting_approval" && "The batch is not awaiting approval.",
    ),
    prioritize: mayPrioritize(person, { state, maker: maker.actor, isOver: finishedAt !== null }),
    cancel: allowedUnless(operator, !unsent && "The batch has no unsent payouts."),
  };
}

function timing(person: Person, { state, send }: View, isOwn: boolean) {
  const isOpen = state === "approved" || state === "paused";
  const waits =
    !(isOpen && send !== null && send.released_at === null) && "The batch is not scheduled.";
  return {
    reschedule: allowedUnless(
      !person.permissions.has("operate") && "You are not an operator.",
      waits,
      send !== null &&
        send.held_back !== null &&
        "The batch is held back. An approver must decide whether to send it.",
    ),
    send_now: allowedUnless(
      !person.permissions.has("approve") && "You are not an approver.",
      person.kind === "key" && "Only a signed-in user can do this.",
      isOwn && "You uploaded or edited this batch, so another person must make this decision.",
      waits,
    ),
  };
}

function pointsOf({ steps, sampled, payouts, stepSeconds }: Course) {
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
