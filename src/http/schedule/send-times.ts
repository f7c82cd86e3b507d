import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { SendTimeInput } from "#api/schedule/send-times.ts";
import { approvedTime, rescheduleBatch, sendBatchNow } from "#flows/schedule/send-time.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { sendMoment, findMissedCutOffs } from "#schedule/cut-offs.ts";
import { localAt, type LocalMoment, momentText, readMoment } from "#schedule/local-time.ts";
import { lastWorkingDay } from "#schedule/working-days.ts";
import type { SendTime } from "#schedule/release.ts";

/** Adds the API routes for send times. */
export function sendTimeRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { ledger, database, clock, bankDays } = deps;
  rescheduleRoute(app, deps, live);

  route(app, deps, "GET /api/batches/:id/send-time", async ({ params, query }) => {
    const batch = await ledger.payout.findBatch({ id: params.id });
    if (!batch) throw new Problem("not_found");
    const send = momentIn(query.at);
    const lanes = batch.lanes.map(({ lane }) => lane);
    const now = new Date(clock.nowMs());
    return {
      at: send.at.toISOString(),
      says: momentText(send),
      has_passed: send.at.getTime() <= now.getTime(),
      misses: findMissedCutOffs(
        lanes,
        sendMoment(send.at, now),
        bankDays,
        await findLaneNames(database),
      ),
    };
  });

  route(app, deps, "GET /api/batches/:id/last-working-day", async ({ params, query }) => {
    const batch = await ledger.payout.findBatch({ id: params.id });
    if (!batch) throw new Problem("not_found");
    const currencies = batch.lanes.map(({ total }) => total.currency);
    const { date: today } = localAt(new Date(clock.nowMs()), query.zone);
    const of = (month: typeof today) => lastWorkingDay(month, currencies, bankDays.holidays);
    const day = of(today);
    const isPast = day.toString() < today.toString();
    return { date: (isPast ? of(today.add({ months: 1 })) : day).toString() };
  });

  route(app, deps, "POST /api/batches/:id/send-now", async ({ params, body, person }) => {
    const order = { batchId: params.id, ...body, actor: person.actor, userId: person.id };
    const done = await sendBatchNow(order, deps);
    if (!done.ok) {
      throw done.error === "wrong_state"
        ? new Problem("wrong_state", { detail: "The batch is not scheduled." })
        : new Problem(done.error);
    }
    live.invalidateBatch(params.id);
  });
}

/** Adds the route that changes the send time of an approved batch. */
export function rescheduleRoute(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger">,
  live: Pick<LiveDocuments, "invalidateBatch">,
): void {
  route(app, deps, "POST /api/batches/:id/reschedule", async ({ params, body, person }) => {
    const { at, reason } = body;
    const order = { batchId: params.id, to: momentIn(at), reason, actor: person.actor };
    const done = await rescheduleBatch(order, deps);
    if (!done.ok) throw new Problem(done.error.kind, { detail: done.error.why });
    live.invalidateBatch(params.id);
  });
}

/** Parses a text that the API schema has accepted. */
function momentIn(text: string): LocalMoment {
  const moment = readMoment(text);
  if (!moment) throw new Problem("invalid_request");
  return moment;
}

/**
 * Returns the send time that the approver gave. Undefined: none was given, and the planned time is
 * unchanged.
 */
export async function readSendTime(
  given: z.output<typeof SendTimeInput> | undefined,
  batchId: string,
  deps: Pick<ServerDeps, "ledger" | "clock">,
): Promise<SendTime | null | undefined> {
  if (given === undefined) return undefined;
  if (given === "now") return null;
  const said = { ...momentIn(given.at), expiresHours: given.expires_hours };
  const send = await approvedTime(said, batchId, deps);
  if (!send) throw new Problem("time_passed");
  return send;
}
