import type { API } from "#api/api.ts";
import type { AnswerOf, InputFor } from "#api/app/operation.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { CliError } from "#cli/terminal/exit.ts";
import { Refused } from "#cli/terminal/transport.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import type { ScheduleAction } from "#ledger/schedule/schedules.ts";
import { withLocalApi } from "#cli/terminal/local-api.ts";

/**
 * A schedule in the format of `--json`, for the local ledger and for a server. A contract: fields
 * are only added.
 */
export type ScheduleDocument = AnswerOf<(typeof API)["GET /api/schedules/:id"]>;
export type NewSchedule = InputFor<(typeof API)["POST /api/schedules"]>["body"];

export type EditedSchedule = InputFor<(typeof API)["PUT /api/schedules/:id"]>["body"];

/**
 * The schedules of a ledger, on this machine or on a server. A failed operation throws a CliError
 * with the reason.
 */
export interface Schedules {
  list(): Promise<readonly ScheduleDocument[]>;
  show(id: string): Promise<ScheduleDocument>;
  /** Previews the rule and the first batch of a new schedule. */
  preview(given: NewSchedule): Promise<AnswerOf<(typeof API)["POST /api/schedules/preview"]>>;
  /** Returns its id. */
  create(given: NewSchedule): Promise<string>;
  edit(id: string, edited: EditedSchedule): Promise<ScheduleDocument>;
  changeState(id: string, how: ScheduleAction, reason: string): Promise<void>;
  decide(id: string, day: string, decision: "create" | "skip", reason: string): Promise<void>;
  /** Decides about all these days, which must be the undecided days of the schedule. */
  decideAll(
    id: string,
    days: readonly string[],
    decision: "create" | "skip",
    reason: string,
  ): Promise<void>;
}

/** Returns the schedules that this client reaches, on a server or in this machine's ledger. */
const schedulesOf = (client: ApiClient): Schedules => ({
  list: async () => (await client.call("GET /api/schedules")).items,
  show: (id) => client.call("GET /api/schedules/:id", { params: { id } }),
  preview: ({ calendar, list, lead_hours }) =>
    client.call("POST /api/schedules/preview", {
      body: { calendar, lead_hours, ...(list !== undefined && { list }) },
    }),
  create: async (body) => (await client.call("POST /api/schedules", { body })).id,
  edit: (id, body) => client.call("PUT /api/schedules/:id", { params: { id }, body }),
  async changeState(id, how, reason) {
    const order = { params: { id }, body: { reason } };
    await client.call(`POST /api/schedules/:id/${how}`, order);
  },
  async decide(id, day, decision, reason) {
    const order = { params: { id, day }, body: { decision, reason } };
    await client.call("POST /api/schedules/:id/occurrences/:day/decide", order);
  },
  async decideAll(id, days, decision, reason) {
    const order = { params: { id }, body: { days: [...days], decision, reason } };
    await client.call("POST /api/schedules/:id/decide", order);
  },
});

/** How to confirm the effect for which the schedule was refused, possibly with its date. */
const CONFIRMATIONS = new Map<string, (day: string) => string>([
  ["list_already_scheduled", () => "To save this schedule as well, add --allow-second."],
  ["period_repeated", (day) => `To confirm the edit, add --allow-repeat ${day}.`],
  ["occurrence_skipped", (day) => `To confirm the edit, add --allow-skip ${day}.`],
]);

/** Adds the option that confirms an effect to the refusal of a schedule. */
export function rethrowUnconfirmed(error: unknown): never {
  if (!(error instanceof Refused)) throw error;
  const { exitCode, message, code, document } = error;
  const step = CONFIRMATIONS.get(code)?.(String(document["day"]));
  throw step === undefined ? error : new CliError(exitCode, `${message} ${step}`, code);
}

/** Runs commands on the schedules of the given server, or of this machine's ledger. */
export async function withSchedules(
  flags: ServerFlags,
  run: (schedules: Schedules) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) return run(schedulesOf(server));
  const { localScheduleApi } = await import("#composition/local-schedules.ts");
  const { localScheduleErrors } = await import("#cli/schedule/local-errors.ts");
  return withLedger((open) =>
    withLocalApi(
      (actor) => localScheduleApi(open, actor),
      localScheduleErrors,
      (client) => run(schedulesOf(client)),
    ),
  );
}
