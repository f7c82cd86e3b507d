import { systemClock } from "#base/clock.ts";
import type { Command } from "commander";
import type { PayoutActionView } from "#api/payout/payout-actions.ts";
import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedgerApi } from "#cli/terminal/local-api.ts";
import { currentActor, print, printJson, say, table } from "#cli/terminal/output.ts";
import { localOnly, type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";
import { moneyText } from "#money/display.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

const LISTED_MAX = 200;
const ID = "ID of the proposal, from: payrun payout proposals";
const DECIDE_ON_DASHBOARD = "An approver must decide about the proposal on the dashboard.";

/** Adds the commands for proposed results of many payouts to `payrun payout`. */
export function payoutProposalCommands(payout: Command): void {
  const on = (command: Command) => withServerOptions(command.option("--json", "print JSON"));
  on(
    payout
      .command("proposals")
      .description("list the proposed results of many payouts that wait for an approver"),
  ).action(list);
  const here = (name: string) =>
    localOnly(payout.command(name), DECIDE_ON_DASHBOARD)
      .argument("<id>", ID)
      .option("--json", "print JSON");
  here("confirm-proposal")
    .description(
      "confirm the proposed results of many payouts; if payrun has approvers, one must confirm them on the dashboard",
    )
    .action((id: string, flags: Flags) => decide(id, null, flags));
  here("reject-proposal")
    .description("reject the proposed results of many payouts")
    .requiredOption("--reason <text>", "why; recorded in the audit log")
    .action((id: string, { reason, ...flags }: Flags & { readonly reason: string }) =>
      decide(id, reason, flags),
    );
}

async function list({ json, ...flags }: Flags): Promise<void> {
  await withLedgerApi(flags, async (client) => {
    const query = { state: "proposed", limit: LISTED_MAX } as const;
    const { items, next } = await client.call("GET /api/payout-actions", { query });
    if (json) return printJson(items);
    if (items.length === 0) return print("no proposals");
    print(
      table([
        ["proposal", "proposed by", "at", "payouts", "sums", "reason"],
        ...items.map((each) => [
          each.id,
          each.created_by.name,
          each.applied_at ?? "-",
          String(each.changed?.count ?? 0),
          sumsOf(each),
          printable(each.reason ?? "-"),
        ]),
      ]),
    );
    if (next !== null) say(`There are more than ${items.length} proposals.`);
  });
}

const sumsOf = ({ changed }: PayoutActionView): string =>
  (changed?.totals ?? []).map(moneyText).join(", ");

/** @param rejection the reason of a rejection. Null: the proposal is confirmed. */
async function decide(id: string, rejection: string | null, flags: Flags): Promise<void> {
  const decided = await decideHere(id, rejection);
  if (flags.json) return printJson(decided);
  if (decided.state === "rejected") return print(`Rejected ${id}. No payouts were changed.`);
  print(`Resolved payouts: ${decided.changed?.count ?? 0}. Action ${id}.`);
  for (const { count, text } of decided.left ?? []) {
    print(`Not changed: ${count}. ${printable(text)}`);
  }
}

const UNPROVEN =
  "The command line does not prove who you are. An approver must confirm the proposal on the dashboard.";

/** Why this machine's ledger refused a decision, and the exit code. */
const REFUSALS = {
  not_found: [EXIT.notFound, "There is no such proposal."],
  wrong_state: [EXIT.conflict, "The proposal was already decided."],
  content_changed: [EXIT.conflict, "The proposal was already decided."],
  ledger_frozen: [EXIT.conflict, "The ledger is frozen."],
  own_resolution: [EXIT.notAllowed, UNPROVEN],
  not_an_approver: [EXIT.notAllowed, UNPROVEN],
} as const;

async function decideHere(id: string, rejection: string | null): Promise<PayoutActionView> {
  const { withLedger } = await import("#cli/terminal/open.ts");
  const { decidePayoutAction } = await import("#flows/payout/payout-actions.ts");
  const { payoutActionViews } = await import("#views/payout/payout-actions.ts");
  const { compareResolved } = await import("#flows/reconciliation/compare-again.ts");
  return withLedger(async ({ ledger, database }) => {
    const order = { id, actor: currentActor(), agree: rejection === null, reason: rejection };
    const decided = await decidePayoutAction(order, { ledger });
    if (!decided.ok) {
      const [exitCode, text] = REFUSALS[decided.error];
      throw new CliError(exitCode, `${text} No payouts were changed.`);
    }
    await compareResolved(decided.value, order.actor, { ledger, clock: systemClock });
    const [view] = await payoutActionViews(database, [decided.value]);
    if (!view) throw new Error(`the action ${id} has no view`);
    return view;
  });
}
