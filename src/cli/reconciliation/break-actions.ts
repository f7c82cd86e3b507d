import type { Command } from "commander";
import type { BreakActionView } from "#api/reconciliation/break-actions.ts";
import { printable } from "#base/invisible-characters.ts";
import {
  type BreakActionPort,
  decisionsHere,
  withOrders,
} from "#cli/reconciliation/break-ports.ts";
import { type FilterFlags, filterOf, withFilterOptions } from "#cli/reconciliation/break-filter.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson, table } from "#cli/terminal/output.ts";
import { mayApply } from "#cli/terminal/prompt.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { moneyText } from "#money/display.ts";
import type { BreakAction } from "#reconciliation/break-action.ts";

interface ActionFlags extends ServerFlags, FilterFlags {
  readonly preview?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The input of the person, as the options give it. */
interface InputFlags {
  readonly to?: string;
  readonly nobody?: boolean;
  readonly reason?: string;
}

export type BulkFlags = ActionFlags & InputFlags;

/** Adds the options of an action on several breaks. */
export const withActionOptions = (command: Command): Command =>
  withServerOptions(
    withFilterOptions(command)
      .option("--preview <id>", "apply this earlier preview instead of a new one")
      .option("--yes", "apply the preview without asking")
      .option("--json", "print JSON; without --yes, only the preview"),
  );

const NUMBERS = "numbers of breaks; without them, options select the breaks";
const ON_SERVER =
  "; with --server, the command prints the page where a user can do this (exit code 5)";

/** Adds the actions on several breaks to `payrun breaks`. */
export function breakActionCommands(breaks: Command): void {
  withActionOptions(
    breaks
      .command("assign")
      .argument("[breaks...]", NUMBERS)
      .description("assign several breaks to a user, or remove their assignments")
      .option("--to <user>", "ID or name of the user")
      .option("--nobody", "remove the assignments"),
  ).action((numbers: string[], flags: BulkFlags) => {
    if ((flags.to === undefined) !== (flags.nobody === true)) {
      throw new CliError(EXIT.usage, "Specify either --to or --nobody. No changes were made.");
    }
    return runBreakAction("assign", numbers, flags);
  });
  const decision = (action: "confirm" | "reject", description: string) =>
    withActionOptions(
      breaks
        .command(action)
        .argument("[breaks...]", NUMBERS)
        .description(description + ON_SERVER),
    ).action((numbers: string[], flags: BulkFlags) => runBreakAction(action, numbers, flags));
  decision(
    "confirm",
    "confirm the proposed resolutions of several breaks; if payrun has approvers, one must confirm them on the dashboard",
  );
  decision("reject", "reject the proposed resolutions of several breaks");
}

/** Previews an action, and applies the preview if the person agrees. */
export async function runBreakAction(
  action: BreakAction,
  numbers: readonly string[],
  flags: BulkFlags,
): Promise<void> {
  const run = async (port: BreakActionPort): Promise<void> => {
    const preview = await previewOf(action, numbers, flags, port);
    const input = {
      to: flags.to === undefined ? null : await port.userNamed(flags.to),
      explanation: flags.reason ?? "",
    };
    if (!flags.json) printPreview(preview);
    const later = `To apply exactly this preview within 15 minutes, run the same command with --preview ${preview.id} --yes instead of a selection.`;
    const { count } = preview.qualifying;
    if (!(await mayApply({ count, things: "breaks", later }, flags))) {
      if (flags.json) printJson(preview);
      return;
    }
    const applied = await port.apply(preview, input);
    if (flags.json) printJson(applied);
    else printResult(applied);
  };
  if (action === "assign" || action === "propose") return withOrders(flags, run);
  return decisionsHere(flags, run);
}

async function previewOf(
  action: BreakAction,
  numbers: readonly string[],
  flags: ActionFlags,
  port: BreakActionPort,
): Promise<BreakActionView> {
  const filter = await filterOf(flags, port);
  const given = [numbers.length > 0, filter !== null, flags.preview !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw new CliError(
      EXIT.usage,
      "Specify either numbers of breaks, --preview, or at least one of --lane, --day, --class, --state and --assignee. No changes were made.",
    );
  }
  if (flags.preview === undefined) {
    return port.preview(action, filter ? { filter } : { breaks: numbers.map(numberOf) });
  }
  const found = await port.find(flags.preview);
  if (found.action !== action) {
    throw new CliError(
      EXIT.usage,
      `${found.id} is a preview of another action: ${found.action}. No changes were made.`,
    );
  }
  return found;
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(EXIT.usage, `${printable(text)} is not the number of a break.`);
}

function printPreview(preview: BreakActionView): void {
  const { id, selected, qualifying, not_qualifying: excluded, explanations, digest } = preview;
  print(`Preview ${id}. Selected breaks: ${selected}. Qualifying: ${qualifying.count}.`);
  const { kinds } = qualifying;
  if (kinds.length > 0) {
    print(
      table([
        ["class", "breaks", "statement less ledger"],
        ...kinds.map((kind) => [
          kind.class,
          String(kind.count),
          kind.differences.map(moneyText).join(", ") || "-",
        ]),
      ]),
    );
    print(`SHA-256 of the list of these breaks: ${digest}`);
  }
  for (const { explanation, by, count } of explanations) {
    print(`Proposal for ${count}, by ${by.name}: ${printable(explanation)}`);
  }
  printLeft(excluded);
}

function printResult({ id, changed, left }: BreakActionView): void {
  print(`Changed breaks: ${changed ?? 0}. Action ${id}.`);
  printLeft(left ?? []);
}

function printLeft(left: BreakActionView["not_qualifying"]): void {
  for (const { count, text } of left) print(`Not changed: ${count}. ${printable(text)}`);
}
