import type { FastifyInstance } from "fastify";
import { scheduleDocuments } from "#views/schedule/schedule-document.ts";
import { previewDocument } from "#views/schedule/schedule-preview.ts";
import { monthDocument } from "#views/schedule/schedule-month.ts";
import { editSchedule } from "#flows/schedule/edit-schedule.ts";
import { createSchedule } from "#flows/schedule/schedules.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { decideOccurrences } from "#ledger/schedule/decisions.ts";
import { decideOccurrence } from "#ledger/schedule/occurrences.ts";
import {
  findSchedules,
  type ScheduleAction,
  changeScheduleState,
} from "#ledger/schedule/schedules.ts";

const OCCURRENCES_LISTED = 12;
/** Number of occurrences on the page of one schedule. */
const OCCURRENCES_LISTED_OF_ONE = 50;

const noSchedule = (id: string): Problem =>
  new Problem("not_found", { detail: `There is no schedule ${id}.` });

type ScheduleDeps = RouteDeps & Pick<ServerDeps, "bankDays" | "inboxOf" | "ledger">;

/** Registers the routes that show the dates of schedules. */
function datesRoutes(app: FastifyInstance, deps: ScheduleDeps): void {
  const { database, clock, bankDays } = deps;
  const sources = () => ({ database, bankDays, now: new Date(clock.nowMs()) });

  route(app, deps, "GET /api/schedules/month", ({ query }) =>
    monthDocument(query.month, sources()),
  );

  route(
    app,
    deps,
    "POST /api/schedules/preview",
    ({ body: { calendar, list = null, schedule = null, lead_hours: leadHours = null } }) =>
      previewDocument({ calendar, list, schedule, leadHours }, sources()),
  );
}

/** Registers the routes that create and edit schedules. `one` returns a schedule's document. */
function settingsRoutes(
  app: FastifyInstance,
  deps: ScheduleDeps,
  one: (id: string) => Promise<Awaited<ReturnType<typeof scheduleDocuments>>[number]>,
): void {
  const { ledger, clock, bankDays, inboxOf } = deps;
  const { holidays } = bankDays;
  const parts = { ledger, clock, holidays, inboxOf };

  route(app, deps, "POST /api/schedules", async ({ body, person }) => {
    const made = await createSchedule(body, person.actor, parts);
    if (!made.ok) throw new Problem(made.error.kind, { detail: made.error.why });
    return one(made.value);
  });

  route(app, deps, "PUT /api/schedules/:id", async ({ params, body, person }) => {
    const edited = await editSchedule(params.id, body, person, parts);
    if (!edited.ok) {
      const { kind, why, ...more } = edited.error;
      throw new Problem(kind, { detail: why, ...more });
    }
    return one(params.id);
  });
}

/** @param listed maximum number of occurrences of each schedule in the list. */
export function scheduleRoutes(
  app: FastifyInstance,
  deps: ScheduleDeps,
  listed = OCCURRENCES_LISTED,
): void {
  datesRoutes(app, deps);
  const { database, clock, bankDays } = deps;
  const now = () => new Date(clock.nowMs());
  const sources = () => ({ database, bankDays, now: now() });

  route(app, deps, "GET /api/schedules", async () => ({
    items: await scheduleDocuments(null, listed, sources()),
    holiday_currencies: [...bankDays.holidays.keys()].toSorted(),
  }));

  const one = async (id: string) => {
    const [schedule] = await scheduleDocuments(id, OCCURRENCES_LISTED_OF_ONE, sources());
    if (!schedule) throw noSchedule(id);
    return schedule;
  };
  const refused = async (id: string): Promise<Problem> => {
    const [found] = await findSchedules(database, id);
    return found ? new Problem("wrong_state") : noSchedule(id);
  };
  route(app, deps, "GET /api/schedules/:id", ({ params }) => one(params.id));

  settingsRoutes(app, deps, one);

  const steer = async (how: ScheduleAction, id: string, reason: string, actor: string) => {
    const order = { id, how, reason, actor, at: now() };
    const steered = await database
      .transaction()
      .execute((transaction) => changeScheduleState(transaction, order));
    if (!steered) throw await refused(id);
  };
  route(app, deps, "POST /api/schedules/:id/pause", ({ params, body, person }) =>
    steer("pause", params.id, body.reason, person.actor),
  );
  route(app, deps, "POST /api/schedules/:id/resume", ({ params, body, person }) =>
    steer("resume", params.id, body.reason, person.actor),
  );
  route(app, deps, "POST /api/schedules/:id/remove", ({ params, body, person }) =>
    steer("remove", params.id, body.reason, person.actor),
  );

  route(
    app,
    deps,
    "POST /api/schedules/:id/occurrences/:day/decide",
    async ({ params, body, person }) => {
      const order = { ...params, ...body, actor: person.actor, at: now() };
      const decided = await database
        .transaction()
        .execute((transaction) => decideOccurrence(transaction, order));
      if (!decided) throw await refused(params.id);
    },
  );

  route(app, deps, "POST /api/schedules/:id/decide", async ({ params, body, person }) => {
    const order = { ...params, ...body, actor: person.actor, at: now() };
    const decided = await database
      .transaction()
      .execute((transaction) => decideOccurrences(transaction, order, bankDays.holidays));
    if (decided === "not_found") throw noSchedule(params.id);
    if (decided === "changed") throw new Problem("content_changed");
  });
}
