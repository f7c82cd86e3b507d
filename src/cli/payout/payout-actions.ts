import type { Command } from "commander";
import type { PayoutActionView } from "#api/payout/payout-actions.ts";
import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson, say, table } from "#cli/terminal/output.ts";
import { groupDigits } from "#money/format.ts";
import { payoutProposalCommands } from "#cli/payout/payout-proposals.ts";
import { ask, hasTerminal } from "#cli/terminal/prompt.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly batch?: string;
  readonly state?: string;
  readonly currency?: string;
  readonly lane?: string;
  readonly cause?: string;
  readonly reason: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Action = PayoutActionView["action"];

/** The commands, and the action of each. */
const COMMANDS = [
  {
    name: "hold-back",
    action: "hold_back",
    description: "hold back unsent payouts: payrun does not send them until they are released",
  },
  { name: "release", action: "release", description: "send payouts that are held back" },
  { name: "cancel", action: "cancel", description: "cancel unsent payouts and those held back" },
  {
    name: "query-all",
    action: "query",
    description: "query the status of all selected payouts that were sent and have no result",
  },
  {
    name: "resolve-listed",
    action: "resolve",
    description:
      "record the results that current statements list for payouts on hold or in doubt; if payrun has approvers, an approver must confirm them",
  },
] as const satisfies readonly { name: string; action: Action; description: string }[];

/** Adds the actions on many payouts to `payrun payout`. */
export function payoutActionCommands(payout: Command): void {
  for (const { name, action, description } of COMMANDS) {
    withServerOptions(
      payout
        .command(name)
        .argument("[codes...]", "transaction codes; without them, options select the payouts")
        .description(description)
        .option("--batch <id>", "payouts of this batch")
        .option("--state <name>", "payouts in this state, such as held_back")
        .option("--currency <CUR>", "payouts in this currency")
        .option("--lane <lane>", "payouts of this lane, such as MERCHANT/INR")
        .option("--cause <reason>", "payouts with this reason, such as resend_window_over")
        .requiredOption("--reason <text>", "why; recorded in the audit log")
        .option("--yes", "apply the preview without asking")
        .option("--json", "print JSON; without --yes, only the preview"),
    ).action((codes: string[], flags: Flags) => run(action, codes, flags));
  }
  payoutProposalCommands(payout);
}

async function run(action: Action, codes: readonly string[], flags: Flags): Promise<void> {
  const selection = selectionOf(codes, flags);
  const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
  await withLedgerApi(flags, async (client) => {
    const preview = await client.call("POST /api/payout-actions", {
      body: { action, ...selection },
    });
    if (!flags.json) printPreview(preview);
    if (!(await isConfirmed(preview, flags))) {
      if (flags.json) printJson(preview);
      return;
    }
    const applied = await client.call("POST /api/payout-actions/:id/apply", {
      params: { id: preview.id },
      body: { reason: flags.reason },
    });
    if (flags.json) printJson(applied);
    else printResult(applied);
  });
}

function selectionOf(codes: readonly string[], flags: Flags) {
  const { batch, state, currency, lane, cause } = flags;
  const filter = {
    ...(batch !== undefined && { batch }),
    ...(state !== undefined && { state }),
    ...(currency !== undefined && { currency }),
    ...(lane !== undefined && { lane }),
    ...(cause !== undefined && { reason: cause }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  if (codes.length > 0 === isFiltered) {
    throw new CliError(
      EXIT.usage,
      "Specify either transaction codes, or at least one of --batch, --state, --currency, --lane and --cause. No changes were made.",
    );
  }
  return isFiltered ? { filter } : { codes: [...codes] };
}

/** Returns whether the preview is to be applied. */
async function isConfirmed(
  { qualifying: { count } }: PayoutActionView,
  { yes, json }: Flags,
): Promise<boolean> {
  if (count === 0) {
    if (!json) say("No payouts qualify. No changes were made.");
    return false;
  }
  if (yes) return true;
  if (json) return false;
  if (!hasTerminal()) {
    say("No changes were made. To apply this action, run the same command with --yes.");
    return false;
  }
  const answer = await ask(`Apply this to ${count} payouts? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return true;
  say("No changes were made.");
  return false;
}

function printPreview({ selected, qualifying, not_qualifying: excluded }: PayoutActionView): void {
  print(`Selected payouts: ${selected}. Qualifying: ${qualifying.count}.`);
  printShare(qualifying);
  printLeft(excluded);
}

function printResult({ id, state, changed, left }: PayoutActionView): void {
  const count = changed?.count ?? 0;
  print(
    state === "proposed"
      ? `Proposed results: ${count}. An approver must confirm action ${id} on the dashboard.`
      : `Changed payouts: ${count}. Action ${id}.`,
  );
  printLeft(left ?? []);
}

function printShare({ totals }: PayoutActionView["qualifying"]): void {
  if (totals.length === 0) return;
  print(
    table(
      totals.map(({ currency, amount, payouts }) => [
        currency,
        String(payouts),
        groupDigits(amount, currency),
      ]),
    ),
  );
}

function printLeft(left: PayoutActionView["not_qualifying"]): void {
  for (const { count, text } of left) print(`Not changed: ${count}. ${printable(text)}`);
}
