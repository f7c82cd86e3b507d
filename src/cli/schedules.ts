import type { API } from "#api/api.ts";
import type { AnswerOf, InputFor } from "#api/operation.ts";
import { withLedger } from "#cli/open.ts";
import { type ServerFlags, serverOf } from "#cli/where.ts";
import type { Steering } from "#ledger/schedules.ts";

/** A schedule as `--json` shows it, whoever keeps it. A contract: fields are only added. */
export type ScheduleDocument = AnswerOf<(typeof API)["GET /api/schedules/:id"]>;
export type NewSchedule = InputFor<(typeof API)["POST /api/schedules"]>["body"];

/** The schedules of a ledger, here or at a server. What cannot be done is a CliError that says why. */
export interface Schedules {
  list(): Promise<readonly ScheduleDocument[]>;
  show(id: string): Promise<ScheduleDocument>;
  /** Its id. */
  create(given: NewSchedule): Promise<string>;
  steer(id: string, how: Steering, reason: string): Promise<void>;
  decide(id: string, day: string, word: "make" | "skip", reason: string): Promise<void>;
}

/** The schedules of the server that was named, or of the ledger of this machine. */
export async function withSchedules(
  flags: ServerFlags,
  run: (schedules: Schedules) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { schedulesThere } = await import("#cli/schedules-there.ts");
    return run(schedulesThere(server));
  }
  const { schedulesHere } = await import("#cli/schedules-here.ts");
  return withLedger((open) => run(schedulesHere(open)));
}
