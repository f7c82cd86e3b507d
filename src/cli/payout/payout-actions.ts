import type { Command } from "commander";
import type { PayoutActionView } from "#api/payout/payout-actions.ts";
import { userAmong } from "#cli/people/named-user.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { print, printJson, table } from "#cli/terminal/output.ts";
import { groupDigits } from "#money/format.ts";
import { payoutProposalCommands } from "#cli/payout/payout-proposals.ts";
import { mayApply } from "#cli/terminal/prompt.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly batch?: string;
  readonly state?: string;
  readonly currency?: string;
  readonly lane?: string;
  readonly cause?: string;
  readonly reason: string;
  readonly to?: string;
  readonly nobody?: boolean;
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

/** Adds the options that every action on many payouts has. */
const withSelection = (command: Command): Command =>
  withServerOptions(
    command
      .argument("[codes...]", "transaction codes; without them, options select the payouts")
      .option("--batch <id>", "payouts of this batch")
      .option("--state <name>", "payouts in this state, such as held_back")
      .option("--currency <CUR>", "payouts in this currency")
      .option("--lane <lane>", "payouts of this lane, such as MERCHANT/INR")
      .option("--cause <reason>", "payouts with this reason, such as resend_window_over")
      .option("--yes", "apply the preview without asking")
      .option("--json", "print JSON; without --yes, only the preview"),
  );

/** Adds the actions on many payouts to `payrun payout`. */
export function payoutActionCommands(payout: Command): void {
  for (const { name, action, description } of COMMANDS) {
    withSelection(payout.command(name).description(description))
      .requiredOption("--reason <text>", "why; recorded in the audit log")
      .action((codes: string[], flags: Flags) =>
        run(action, codes, flags, async () => (client, id) => {
          const body = { reason: flags.reason };
          return client.call("POST /api/payout-actions/:id/apply", { params: { id }, body });
        }),
      );
  }
  withSelection(
    payout
      .command("assign")
      .description(
        "assign payouts that need attention to a user, or remove their assignments; no payout changes",
      ),
  )
    .option("--to <user>", "ID or name of the user")
    .option("--nobody", "remove the assignments")
    .action((codes: string[], flags: Flags) => run("assign", codes, flags, assignmentOf(flags)));
  payoutProposalCommands(payout);
}

type Client = Pick<ApiClient, "call">;
type Apply = (client: Client, id: string) => Promise<PayoutActionView>;

/** Looks up the user before the preview, so that a wrong name makes no preview. */
function assignmentOf({ to, nobody }: Flags): (client: Client) => Promise<Apply> {
  if ((to === undefined) !== (nobody === true)) {
    throw new CliError(EXIT.usage, "Specify either --to or --nobody. No changes were made.");
  }
  return async (client) => {
    const people = to === undefined ? null : await client.call("GET /api/failures/people");
    const user = to === undefined ? null : userAmong(to, people?.items ?? []);
    return (applying, id) =>
      applying.call("POST /api/payout-actions/:id/assign", { params: { id }, body: { to: user } });
  };
}

async function run(
  action: Action,
  codes: readonly string[],
  flags: Flags,
  prepare: (client: Client) => Promise<Apply>,
): Promise<void> {
  const selection = selectionOf(codes, flags);
  const { withLedgerApi } = await import("#cli/terminal/local-api.ts");
  await withLedgerApi(flags, async (client) => {
    const apply = await prepare(client);
    const preview = await client.call("POST /api/payout-actions", {
      body: { action, ...selection },
    });
    if (!flags.json) printPreview(preview);
    const later = "To apply this action, run the same command with --yes.";
    const { count } = preview.qualifying;
    if (!(await mayApply({ count, things: "payouts", later }, flags))) {
      if (flags.json) printJson(preview);
      return;
    }
    const applied = await apply(client, preview.id);
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

function printPreview(preview: PayoutActionView): void {
  const { selected, qualifying, not_qualifying: excluded, assignees } = preview;
  print(`Selected payouts: ${selected}. Qualifying: ${qualifying.count}.`);
  printShare(qualifying);
  for (const { user, count } of assignees ?? []) {
    if (user) print(`Now assigned to ${printable(user.name)}: ${count}.`);
  }
  printLeft(excluded);
}

function printResult({ id, action, state, changed, left }: PayoutActionView): void {
  const count = changed?.count ?? 0;
  print(
    state === "proposed"
      ? `Proposed results: ${count}. An approver must confirm action ${id} on the dashboard.`
      : `${action === "assign" ? "Assigned" : "Changed"} payouts: ${count}. Action ${id}.`,
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
