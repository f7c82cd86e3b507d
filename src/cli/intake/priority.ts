import { PRIORITIES, type Priority } from "#payout/priority.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";

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
