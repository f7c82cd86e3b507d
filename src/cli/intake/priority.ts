import { Argument, type Command } from "commander";
import { PRIORITIES, type Priority } from "#payout/priority.ts";
import { BATCH_ID, withBatches } from "#cli/batch/batches.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly reason?: string;
}

/** Adds `payrun batch priority`, and the commands that it replaced, to the commands of batches. */
export function prioritySubcommands(batch: Command): void {
  const withOptions = (command: Command) =>
    withServerOptions(command.option("--json", "print JSON")).option(
      "--reason <text>",
      "reason (required with --server)",
    );
  withOptions(
    batch
      .command("priority")
      .argument("<id>", BATCH_ID)
      .addArgument(new Argument("<priority>", "new priority").choices(PRIORITIES))
      .description("set a batch's priority, which decides what a busy lane sends first"),
  ).action(setPriority);
  for (const priority of PRIORITIES) {
    withOptions(
      batch
        .command(priority, { hidden: true })
        .argument("<id>", BATCH_ID)
        .description(`deprecated: use payrun batch priority ID ${priority}`),
    ).action((id: string, flags: Flags) => setPriority(id, priority, flags));
  }
}

const setPriority = (id: string, priority: Priority, { reason, json, ...flags }: Flags) =>
  withBatches(flags, async (batches) => {
    await batches.setPriority(id, priority, reason ?? null);
    if (json) printJson((await batches.show(id)).document);
    else print(`${id}: priority is now ${priority}`);
  });

export const PRIORITY_OPTION = [
  "--priority <priority>",
  `priority when not all batches can be sent at once: ${PRIORITIES.join(", ")} (default: normal)`,
] as const;

/**
 * Parses a priority.
 * @throws CliError if it is not one.
 */
export function readPriority(text: string): Priority {
  const priority = PRIORITIES.find((each) => each === text);
  if (priority) return priority;
  throw new CliError(
    EXIT.usage,
    `--priority ${text}: expected ${PRIORITIES.slice(0, -1).join(", ")} or ${PRIORITIES.at(-1)}`,
  );
}
