import type { Command } from "commander";
import { printable } from "#base/invisible-characters.ts";
import { systemClock } from "#base/clock.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, print, printJson, say, table } from "#cli/terminal/output.ts";
import { type ServerFlags, serverOf, withServerOptions } from "#cli/terminal/server-options.ts";
import { moneyText } from "#money/display.ts";

/** The output of `payout search --json`. A contract: fields are only added. */
type SearchDocument = AnswerOf<(typeof API)["POST /api/search"]>;

interface Flags extends ServerFlags {
  readonly json?: boolean;
}

/** Adds `payrun payout search` to `payrun payout`. */
export function searchSubcommand(payout: Command): void {
  withServerOptions(
    payout
      .command("search")
      .argument("<text>", "code, gateway number, amount, name, account, file or reference")
      .description(
        "search payouts, batches and deposits as on the dashboard; a search by full account number is recorded in the audit log",
      )
      .option("--json", "print JSON"),
  ).action(search);
}

async function search(text: string, flags: Flags): Promise<void> {
  const server = await serverOf(flags);
  const found = server
    ? await server.call("POST /api/search", { body: { q: text } })
    : await searchLocally(text);
  if (flags.json) printJson(found);
  else printFound(found);
}

async function searchLocally(text: string): Promise<SearchDocument> {
  const { searchDocument } = await import("#views/search/search.ts");
  const { withAudit } = await import("#flows/people/audited.ts");
  const { maskText } = await import("#intake/masking.ts");
  return withLedger(async ({ ledger, database, sealer }) => {
    const recordSearch = async (account: string) => {
      const facts = { account: maskText(account), refused: false };
      const line = {
        actor: currentActor(),
        action: "search_account",
        object: "payouts",
        facts,
      } as const;
      await withAudit({ ledger, clock: systemClock }, async () => ({ value: null, line }));
      return true;
    };
    return searchDocument(text, recordSearch, { database, sealer });
  });
}

function printFound(found: SearchDocument): void {
  const { payouts, batches, deposits } = found;
  const sections = [
    {
      of: "payouts",
      count: found.payouts_count,
      rows: payouts.map(({ code, currency, amount, state, beneficiary, account_last4: last4 }) => [
        code,
        moneyText({ currency, amount }),
        state,
        printable(beneficiary ?? ""),
        last4 === null ? "" : `••${last4}`,
      ]),
    },
    {
      of: "batches",
      count: found.batches_count,
      rows: batches.map(({ id, name, file_name, state, rows }) => [
        id,
        printable(name ?? file_name),
        state,
        `${rows} rows`,
      ]),
    },
    {
      of: "deposits",
      count: found.deposits_count,
      rows: deposits.map(({ code, currency, amount, state, user_id }) => [
        code,
        moneyText({ currency, amount }),
        state,
        printable(user_id),
      ]),
    },
  ].filter(({ rows }) => rows.length > 0);
  for (const { of, count, rows } of sections) {
    const total = count < found.count_max ? `${count}` : `${count} or more`;
    print(count > rows.length ? `${rows.length} of ${total} ${of}` : of);
    print(table(rows));
  }
  if (sections.length === 0) say("No payouts, batches or deposits match.");
  if (found.accounts_left_out) {
    say("Accounts were not searched, because the API key does not have the reveal permission.");
  }
}
