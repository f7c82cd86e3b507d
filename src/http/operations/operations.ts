import type { FastifyInstance } from "fastify";
import { openLane, pauseLane, resumeLane } from "#flows/payout/lane/control-lanes.ts";
import type { Desk } from "#views/deps.ts";
import { countsOf, latencyOf, type Overview } from "#views/operations/overview.ts";
import type { Live } from "#http/server/live.ts";
import { METRICS_TYPE, metricsText } from "#http/operations/metrics.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { runbookParts } from "#http/operations/runbook.ts";
import { pulses } from "#ledger/operations/throughput-samples.ts";
import { lostBatches, undecidedBatches } from "#ledger/intake/quarantine.ts";
import { coversGap, findingsSince } from "#ledger/integrity/since-freeze.ts";
import { reasonText } from "#payout/reasons.ts";

const STEPS = 180;
const STEP_SECONDS = 10;
const FOUND_MAX = 50;

/**
 * Name of the stream's topic and of the overview's document. Many users watch it, and the ledger is
 * queried once for all.
 */
const TOPIC = "operations";

/** Adds the API routes for the operations page and the metrics. */
export function operationsRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, ledger } = desk;

  route(app, desk, "GET /api/operations", async () => (await live.look(TOPIC)) as Overview);

  route(app, desk, "GET /api/metrics", async ({ reply }) =>
    reply.type(METRICS_TYPE).send(metricsText((await live.look(TOPIC)) as Overview)),
  );

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

  route(app, desk, "POST /api/lanes/pause", async ({ body, person }) => {
    const { lane, reason, mode } = body;
    const until = body.until === null ? null : new Date(body.until);
    const order = { name: lane, reason, actor: person.actor, until, drain: mode === "drain" };
    const paused = await pauseLane(order, desk);
    live.forget(TOPIC, "status_indicator");
    if (paused.ok) return;
    throw paused.error === "unknown_lane"
      ? new Problem("not_found", { detail: `Lane ${lane} does not exist.` })
      : new Problem("invalid_request", {
          places: [{ place: "body.until", message: "must be in the future" }],
        });
  });

  route(app, desk, "POST /api/lanes/resume", async ({ body: { lane, reason }, person }) => {
    const resumed = await resumeLane({ name: lane, reason, actor: person.actor }, ledger);
    live.forget(TOPIC, "status_indicator");
    if (!resumed.ok) throw new Problem("lane_not_paused");
  });

  route(app, desk, "POST /api/lanes/open", async ({ body: { lane, reason }, person }) => {
    const opened = await openLane({ name: lane, reason, actor: person.actor }, ledger);
    live.forget(TOPIC, "status_indicator");
    if (!opened.ok) throw new Problem("lane_not_stopped");
  });

  /**
   * Returns the batches that a restored ledger may pay twice, and whether the lost period is fully
   * known.
   */
  const gapOf = async (since: Date | null) => {
    const memorySince = await ledger.memorySince().catch(() => null);
    const [lost, undecided] = [
      await lostBatches(database, "unacknowledged"),
      await undecidedBatches(database),
    ];
    return {
      lost: lost.map((each) => ({
        batch_id: each.batchId,
        file: each.fileName,
        uploaded_at: each.takenInAt.toISOString(),
        rows: each.rows,
        totals: { ...each.totals },
        host: each.host,
      })),
      quarantine: undecided.map((each) => ({
        batch_id: each.batchId,
        file: each.fileName,
        arrived_at: each.arrivedAt.toISOString(),
        rows: each.rows,
      })),
      memory_since: memorySince?.toISOString() ?? null,
      memory_covers: since === null || (await coversGap(database, memorySince, since)),
    };
  };

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
        lanes: lanes.map(({ lane, open, unqueried }) => ({ lane, in_progress: open, unqueried })),
        on_hold_count: found?.heldCount ?? 0,
        on_hold: (found?.held ?? []).map((payout) => ({
          transaction_code: payout.transactionCode,
          batch_id: payout.batchId,
          text: payout.reason ? reasonText(payout.reason) : "",
        })),
        stray_count: found?.strayCount ?? 0,
        stray_codes: [...(found?.strayCodes ?? [])],
        ...(await gapOf(since)),
      },
    };
  });

  route(app, desk, "POST /api/operations/unfreeze", async ({ body, person }) => {
    const freeze = await ledger.verify();
    if (!freeze?.since) throw new Problem("ledger_not_frozen");
    const { epoch, reason, hold_unqueried: holdUnasked, release, keep } = body;
    const gap = await gapOf(freeze.since);
    refuseUndecided(body, gap);
    const acknowledge = body.acknowledge_lost;
    const order = { epoch, reason, actor: person.actor, holdUnasked, release, keep, acknowledge };
    if (!(await ledger.unfreeze(order))) throw new Problem("ledger_still_frozen");
    live.forget(TOPIC, "status_indicator");
  });
}

interface Gap {
  readonly lost: readonly { readonly batch_id: string }[];
  readonly quarantine: readonly { readonly batch_id: string }[];
  readonly memory_covers: boolean;
}

/** @throws Problem that names each batch without a decision. */
function refuseUndecided(
  body: {
    readonly release: readonly string[];
    readonly keep: readonly string[];
    readonly acknowledge_lost: readonly string[];
    readonly without_memory: boolean;
  },
  { lost, quarantine, memory_covers: covers }: Gap,
): void {
  const decided = new Set([...body.release, ...body.keep]);
  const acknowledged = new Set(body.acknowledge_lost);
  const places = [
    ...quarantine
      .filter(({ batch_id }) => !decided.has(batch_id))
      .map(({ batch_id }) => ({
        place: batch_id,
        message: "Release this batch or keep it in quarantine.",
      })),
    ...lost
      .filter(({ batch_id }) => !acknowledged.has(batch_id))
      .map(({ batch_id }) => ({
        place: batch_id,
        message: "Acknowledge that this batch was lost.",
      })),
    ...(covers || body.without_memory
      ? []
      : [
          {
            place: "body.without_memory",
            message:
              "This machine's record of files kept outside the ledger does not cover the lost period. Confirm that you are aware of this.",
          },
        ]),
  ];
  if (places.length > 0) throw new Problem("decisions_missing", { places });
}
