import type { API } from "#api/api.ts";
import type { AnswerOf, InputFor } from "#api/app/operation.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/where.ts";
import type { Steering } from "#ledger/schedule/schedules.ts";

/**
 * A schedule in the format of `--json`, for the local ledger and for a server. A contract: fields
 * are only added.
 */
export type ScheduleDocument = AnswerOf<(typeof API)["GET /api/schedules/:id"]>;
export type NewSchedule = InputFor<(typeof API)["POST /api/schedules"]>["body"];

/**
 * The schedules of a ledger, on this machine or on a server. A failed operation throws a CliError
 * with the reason.
 */
export interface Schedules {
  list(): Promise<readonly ScheduleDocument[]>;
  show(id: string): Promise<ScheduleDocument>;
  /** Returns its id. */
  create(given: NewSchedule): Promise<string>;
  steer(id: string, how: Steering, reason: string): Promise<void>;
  decide(id: string, day: string, decision: "create" | "skip", reason: string): Promise<void>;
}

/** Runs commands on the schedules of the given server, or of this machine's ledger. */
export async function withSchedules(
  flags: ServerFlags,
  run: (schedules: Schedules) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { schedulesThere } = await import("#cli/schedule/schedules-there.ts");
    return run(schedulesThere(server));
  }
  const { schedulesHere } = await import("#cli/schedule/schedules-here.ts");
  return withLedger((open) => run(schedulesHere(open)));
}
