import type { Command } from "commander";
import type { ErasureView } from "#api/integrity/erasures.ts";
import { withLedgerApi } from "#cli/terminal/local-api.ts";
import { plural, print, printJson, say, table } from "#cli/terminal/output.ts";
import { type ServerFlags, withServerOptions } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

/** Adds `payrun erase` to the program. */
export function eraseCommand(program: Command): void {
  const erase = program
    .command("erase")
    .description("erase the data of a person so that nobody can decrypt it");
  const on = (command: Command) => withServerOptions(command.option("--json", "print JSON"));
  on(
    erase
      .command("person")
      .argument("<code>", "transaction code of any payout to the person's account")
      .description(
        "erase the person of a payout, which cannot be undone; if payrun has approvers, one must confirm it on the dashboard or by API",
      )
      .requiredOption("--reason <text>", "why, without data of the person"),
  ).action(person);
  on(
    erase.command("list").description("list the erasures, and which ones a key rotation completes"),
  ).action(list);
}

async function person(
  code: string,
  { reason, json, ...flags }: Flags & { readonly reason: string },
): Promise<void> {
  await withLedgerApi(flags, async (client) => {
    const erasure = await client.call("POST /api/erasures", { body: { code, reason } });
    if (json) return printJson(erasure);
    if (erasure.state === "proposed") {
      print(`Erasure ${erasure.id} is proposed. An approver must confirm it.`);
      return undefined;
    }
    const rows = `${plural(erasure.payouts ?? 0, "payout")} and ${plural(erasure.file_rows ?? 0, "file row")}`;
    print(`Erasure ${erasure.id}: ${rows} erased.`);
    say("Backups still contain the data until you rotate the key: payrun key rotate");
    return undefined;
  });
}

async function list({ json, ...flags }: Flags): Promise<void> {
  await withLedgerApi(flags, async (client) => {
    const { items } = await client.call("GET /api/erasures");
    if (json) return printJson(items);
    if (items.length === 0) say("There are no erasures.");
    else print(table([["id", "state", "payouts", "file rows", "by", "reason"], ...items.map(row)]));
    const incomplete = items.filter(({ state }) => state === "erased").length;
    if (incomplete > 0) {
      say(`${plural(incomplete, "erasure")} will be complete after: payrun key rotate`);
    }
    return undefined;
  });
}

const row = (each: ErasureView): string[] => [
  String(each.id),
  each.state,
  String(each.payouts ?? "-"),
  String(each.file_rows ?? "-"),
  each.proposed_by.name,
  each.reason,
];
