import type { FastifyInstance } from "fastify";
import { makeSchedule } from "#flows/schedules.ts";
import type { Desk } from "#http/desk.ts";
import { orRefuse, Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { findBatch } from "#ledger/batches.ts";
import {
  decideOccurrence,
  type KeptOccurrence,
  occurrencesOf,
  type Schedule,
  schedules,
  type Steering,
  steerSchedule,
} from "#ledger/schedules.ts";
import type { Calendar } from "#schedule/calendar.ts";
import { missedCutOffs } from "#schedule/cut-offs.ts";
import { momentText } from "#schedule/local-time.ts";
import { occurrencesAfter, placeAt } from "#schedule/occurrences.ts";
import { sentenceOf } from "#schedule/sentence.ts";

const NEXT = 5;
const KEPT = 12;

export function scheduleRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock, bankDays } = desk;
  const { holidays } = bankDays;
  const now = () => new Date(clock.nowMs());

  const lanesOf = async (list: string | undefined): Promise<string[]> => {
    const batch = list === undefined ? null : await findBatch(database, { id: list });
    return batch?.lanes.map(({ lane }) => lane) ?? [];
  };
  const nextOf = (calendar: Calendar, lanes: readonly string[]) =>
    occurrencesAfter(calendar, placeAt(now(), calendar.zone), holidays)
      .take(NEXT)
      .map((moment) => ({
        at: moment.at.toISOString(),
        says: momentText(moment),
        misses: missedCutOffs(lanes, moment.at, bankDays),
      }))
      .toArray();
  const shown = async (schedule: Schedule, kept: readonly KeptOccurrence[]) => ({
    id: schedule.id,
    name: schedule.name,
    says: sentenceOf(schedule.calendar),
    calendar: schedule.calendar,
    list: schedule.list,
    state: schedule.state,
    reason: schedule.reason,
    lead_hours: schedule.leadHours,
    grace_hours: schedule.graceHours,
    expires_hours: schedule.expiresHours,
    maker: schedule.maker,
    created_at: schedule.createdAt.toISOString(),
    next:
      schedule.state === "active" ? nextOf(schedule.calendar, await lanesOf(schedule.list)) : [],
    occurrences: kept.map(({ day, local, sendAt, state, batchId, why }) => ({
      day,
      at: sendAt.toISOString(),
      says: momentText({ local, zone: schedule.calendar.zone }),
      state,
      batch_id: batchId,
      why,
    })),
  });
  const allShown = async (id: string | null) => {
    const found = await schedules(database, id);
    const ids = found.map((schedule) => schedule.id);
    const kept = await occurrencesOf(database, ids, KEPT);
    return Promise.all(found.map((schedule) => shown(schedule, kept.get(schedule.id) ?? [])));
  };

  route(app, desk, "GET /api/schedules", async () => ({ items: await allShown(null) }));

  route(app, desk, "POST /api/schedules", async ({ body, person }) => {
    const id = orRefuse(await makeSchedule(body, person.actor, { database, clock, holidays }));
    const [made] = await allShown(id);
    if (!made) throw new Problem("not_found");
    return made;
  });

  route(app, desk, "POST /api/schedules/try", async ({ body: { calendar, list } }) => ({
    says: sentenceOf(calendar),
    next: nextOf(calendar, await lanesOf(list)),
  }));

  const steer = async (how: Steering, id: string, reason: string, actor: string) => {
    const order = { id, how, reason, actor, at: now() };
    const steered = await database
      .transaction()
      .execute((transaction) => steerSchedule(transaction, order));
    if (!steered) throw new Problem("wrong_state");
  };
  route(app, desk, "POST /api/schedules/:id/pause", ({ params, body, person }) =>
    steer("pause", params.id, body.reason, person.actor),
  );
  route(app, desk, "POST /api/schedules/:id/resume", ({ params, body, person }) =>
    steer("resume", params.id, body.reason, person.actor),
  );
  route(app, desk, "POST /api/schedules/:id/remove", ({ params, body, person }) =>
    steer("remove", params.id, body.reason, person.actor),
  );

  route(
    app,
    desk,
    "POST /api/schedules/:id/occurrences/:day/decide",
    async ({ params, body, person }) => {
      const order = { ...params, ...body, actor: person.actor, at: now() };
      const decided = await database
        .transaction()
        .execute((transaction) => decideOccurrence(transaction, order));
      if (!decided) throw new Problem("wrong_state");
    },
  );
}
