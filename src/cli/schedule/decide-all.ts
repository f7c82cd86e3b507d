import type { Command } from "commander";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson, say, table } from "#cli/terminal/output.ts";
import type { ServerFlags } from "#cli/terminal/server-options.ts";
import { withSchedules } from "#cli/schedule/schedules.ts";

interface Flags extends ServerFlags {
  readonly create?: boolean;
  readonly skip?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

/** Adds `payrun schedule decide` to `payrun schedule`. */
export function decideSubcommand(add: (name: string, text: string) => Command): void {
  add(
    "decide",
    "list the days of a schedule that need a decision, for example after a restore, or decide about all these days",
  )
    .argument("<id>", "schedule ID, from: payrun schedule list")
    .option("--create", "create their batches, each when it is due")
    .option("--skip", "create no batch for these days")
    .option("--reason <text>", "reason; required with --create or --skip")
    .option("--json", "print JSON")
    .action(decideAll);
}

async function decideAll(id: string, { create, skip, reason, json, ...flags }: Flags) {
  if (create && skip) throw new CliError(EXIT.usage, "Specify either --create or --skip.");
  const decision = create ? "create" : skip ? "skip" : null;
  if (decision !== null && reason === undefined) {
    throw new CliError(EXIT.usage, `--${decision} requires --reason.`);
  }
  await withSchedules(flags, async (schedules) => {
    const { undecided } = await schedules.show(id);
    const days = undecided.map(({ day }) => day);
    const isDecided = decision !== null && days.length > 0;
    if (isDecided) await schedules.decideAll(id, days, decision, reason ?? "");
    if (json) return printJson({ schedule: id, decision: isDecided ? decision : null, undecided });
    if (days.length === 0) return say(`No day of schedule ${id} needs a decision.`);
    print(
      table([["day", "time", ""], ...undecided.map(({ day, says, state }) => [day, says, state])]),
    );
    if (decision === "create")
      say("payrun creates the batches of these days, each when it is due.");
    else if (decision === "skip") say("payrun creates no batches for these days.");
    else {
      say(
        `To decide about all these days: payrun schedule decide ${id} --create|--skip --reason TEXT`,
      );
    }
  });
}
