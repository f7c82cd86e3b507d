import type { FastifyInstance } from "fastify";
import { openLane, pauseLane, resumeLane } from "#flows/control-lanes.ts";
import type { Desk } from "#http/desk.ts";
import { countsOf, latencyOf, lookOver } from "#http/overview.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { runbookParts } from "#http/runbook.ts";
import { findingsSince } from "#ledger/findings.ts";
import { pulses } from "#ledger/pulse.ts";
import { reasonText } from "#payout/reasons.ts";

/** How long a look counts for all who ask: many watch the page, and the ledger is asked once. */
const LOOK_MS = 1_000;
const STEPS = 180;
const STEP_SECONDS = 10;
const FOUND_MAX = 50;

export function operationsRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, ledger } = desk;

  const look = sharedFor(LOOK_MS, () => lookOver(desk), desk);
  route(app, desk, "GET /api/operations", () => look());

  route(app, desk, "GET /api/operations/rates", async ({ query: { minutes } }) => {
    const seconds = minutes * 60;
    const step = Math.ceil(seconds / STEPS / STEP_SECONDS) * STEP_SECONDS;
    const steps = await pulses(database, { seconds, step });
    return {
      step_seconds: step,
      steps: steps.map((each) => ({
        at: each.at.toISOString(),
        counts: countsOf([each]),
        ...latencyOf([each]),
      })),
    };
  });

  route(app, desk, "GET /api/operations/runbook/:alarm", async ({ params: { alarm } }) => ({
    alarm,
    parts: runbookParts(alarm),
  }));

  route(app, desk, "POST /api/lanes/pause", async ({ body: { lane, reason, until }, person }) => {
    const end = until === null ? null : new Date(until);
    const order = { name: lane, reason, actor: person.actor, until: end };
    const paused = await pauseLane(order, desk);
    if (paused.ok) return;
    throw paused.error === "unknown_lane"
      ? new Problem("not_found", { detail: `There was never a payout in a lane ${lane}.` })
      : new Problem("invalid_request", {
          places: [{ place: "body.until", message: "is not a time to come" }],
        });
  });

  route(app, desk, "POST /api/lanes/resume", async ({ body: { lane, reason }, person }) => {
    const resumed = await resumeLane({ name: lane, reason, actor: person.actor }, ledger);
    if (!resumed.ok) throw new Problem("lane_not_paused");
  });

  route(app, desk, "POST /api/lanes/open", async ({ body: { lane, reason }, person }) => {
    const opened = await openLane({ name: lane, reason, actor: person.actor }, desk);
    if (!opened.ok) throw new Problem("lane_not_stopped");
  });

  route(app, desk, "GET /api/operations/freeze", async () => {
    const freeze = await ledger.verify();
    if (!freeze) return { freeze: null };
    const { epoch, since, reason } = freeze;
    const lanes = await ledger.askedPerLane();
    const found = since ? await findingsSince(database, since, FOUND_MAX) : null;
    return {
      freeze: {
        epoch,
        since: since?.toISOString() ?? null,
        reason,
        lanes: lanes.map((lane) => ({ ...lane })),
        held_count: found?.heldCount ?? 0,
        held: (found?.held ?? []).map((payout) => ({
          transaction_code: payout.transactionCode,
          batch_id: payout.batchId,
          text: payout.reason ? reasonText(payout.reason) : "",
        })),
        stray_count: found?.strayCount ?? 0,
        stray_codes: [...(found?.strayCodes ?? [])],
      },
    };
  });

  route(app, desk, "POST /api/operations/unfreeze", async ({ body, person }) => {
    const freeze = await ledger.verify();
    if (!freeze?.since) throw new Problem("ledger_not_frozen");
    const { epoch, reason, hold_unasked: holdUnasked } = body;
    const order = { epoch, reason, actor: person.actor, holdUnasked };
    if (!(await ledger.unfreeze(order))) throw new Problem("ledger_still_frozen");
  });
}

/** One answer for all who ask within this time, also while it is still being looked for. */
function sharedFor<T>(
  ms: number,
  work: () => Promise<T>,
  { clock }: Pick<Desk, "clock">,
): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let atMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (answer && nowMs - atMs < ms) return answer;
    atMs = nowMs;
    answer = work();
    answer.catch(() => {
      answer = null;
    });
    return answer;
  };
}
