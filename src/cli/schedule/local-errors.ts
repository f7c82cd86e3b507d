import { CliError, EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import type { LocalErrors } from "#cli/terminal/local-api.ts";
import { Refused } from "#cli/terminal/transport.ts";

const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  not_found: EXIT.notFound,
  schedule_exists: EXIT.conflict,
  list_already_scheduled: EXIT.conflict,
  content_changed: EXIT.conflict,
  wrong_state: EXIT.conflict,
  period_repeated: EXIT.conflict,
  occurrence_skipped: EXIT.conflict,
  occurrence_undecided: EXIT.conflict,
};

/** The refusals of schedules in the local ledger, with the next command. */
export const localScheduleErrors: LocalErrors = ({ operation, params: { id, day } }, problem) => {
  const { code, detail } = problem;
  if (operation === "POST /api/schedules" || operation === "PUT /api/schedules/:id") {
    return detail === undefined
      ? null
      : new Refused(EXIT_CODES[code] ?? EXIT.usage, detail, problem);
  }
  if (code === "not_found") {
    return new CliError(EXIT.notFound, `There is no schedule ${id}. See: payrun schedule list`);
  }
  if (operation === "POST /api/schedules/:id/decide" && code === "content_changed") {
    return new CliError(
      EXIT.conflict,
      `The undecided days of schedule ${id} have just changed. No changes were made. To list them: payrun schedule decide ${id}`,
    );
  }
  if (code !== "wrong_state") return null;
  if (operation === "POST /api/schedules/:id/occurrences/:day/decide") {
    return new CliError(
      EXIT.conflict,
      `Schedule ${id} has no missed occurrence on ${day}. No changes were made.`,
    );
  }
  const how = operation.split("/").at(-1);
  return new CliError(
    EXIT.conflict,
    `Schedule ${id} cannot be ${how}d in its current state. No changes were made. See: payrun schedule show ${id}`,
  );
};
