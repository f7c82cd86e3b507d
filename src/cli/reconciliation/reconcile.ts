import type { Command } from "commander";
import { printable } from "#base/invisible-characters.ts";
import { EXIT } from "#cli/terminal/exit.ts";
import { assertFile } from "#cli/terminal/file.ts";
import type { Server } from "#cli/terminal/server.ts";
import { serverOf, withServerOptions } from "#cli/terminal/server-options.ts";
import { plural, print, printJson, quoted, say, table } from "#cli/terminal/output.ts";
import { LANE_ARGUMENT } from "#cli/payout/lane-name.ts";
import type { StatementFlags } from "#cli/reconciliation/statement-flags.ts";
import { mappingText, printResult } from "#cli/reconciliation/statement-output.ts";
import type { LoadRefusal, MappingQuestion } from "#flows/reconciliation/statement-upload.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import {
  PAYOUT_SIGNS,
  STATEMENT_FIELD_NAMES,
  STATEMENT_STATUSES,
} from "#reconciliation/statement-mapping.ts";

const collect = (text: string, texts: readonly string[]): readonly string[] => [...texts, text];

/** Adds `payrun reconcile` to the program. */
export function reconcileCommand(program: Command): void {
  withServerOptions(program.command("reconcile"))
    .argument("<file>", "statement of the gateway's back office (CSV, XLSX or camt.053)")
    .description("compare a statement with the ledger, and store every difference as a break")
    .requiredOption("--lane <lane>", LANE_ARGUMENT)
    .requiredOption("--day <date>", "business day of the statement, such as 2026-11-26")
    .option(
      "--column <name=field>",
      `meaning of a column, once for each column that is read; fields: ${STATEMENT_FIELD_NAMES.join(", ")}`,
      collect,
      [],
    )
    .option(
      "--word <word=result>",
      `meaning of an additional word in the status column, repeatable; results: ${STATEMENT_STATUSES.join(", ")}`,
      collect,
      [],
    )
    .option("--zone <zone>", "time zone of the business day, such as Asia/Kolkata")
    .option("--amounts <style>", `style of the amounts: ${AMOUNT_STYLE_NAMES.join("  ")}`)
    .option("--sign <sign>", `sign of the amounts of payouts: ${PAYOUT_SIGNS.join(", ")}`)
    .option("--confirm-mapping", "store the mapping that was shown")
    .option("--outside-day <count>", "number of lines outside the day that you have checked")
    .option("--lines <count>", "number of lines, to detect an incomplete file")
    .option(
      "--total <amount>",
      "sum of the amounts in the lane's currency without signs, to detect an incomplete file",
    )
    .option("--opening <amount>", "balance at the start of the day")
    .option("--closing <amount>", "balance at the end of the day")
    .option("--deposits <amount>", "money paid in on the day (default with balances: 0)")
    .option("--json", "print JSON")
    .action(reconcile);
}

async function reconcile(file: string, flags: StatementFlags): Promise<void> {
  await assertFile(file);
  const server = await serverOf(flags);
  const reconciled = server
    ? await (await import("#cli/reconciliation/server-statement.ts")).reconcileThere(
        file,
        flags,
        server,
      )
    : await (await import("#cli/reconciliation/local-statement.ts")).reconcileHere(file, flags);
  if (!reconciled.ok) return refuse(reconciled.error, flags, server);
  const { comparison } = reconciled.value;
  printResult(reconciled.value, flags);
  if (comparison && Object.keys(comparison.breaks).length > 0) process.exitCode = EXIT.problems;
}

function refuse(
  refusal: LoadRefusal,
  { json }: Pick<StatementFlags, "json">,
  server: Server | null,
): void {
  process.exitCode = EXIT.problems;
  if (json) return printJson(refusal);
  if (refusal.kind === "mapping_unconfirmed") return askMapping(refusal, server);
  if (refusal.kind === "outside_day") {
    const lines = plural(refusal.count, "line");
    return say(
      `${lines} outside the day. Check them, and run the command again with --outside-day ${refusal.count}. The statement was not loaded.`,
    );
  }
  print(
    table([
      ["line", "column", "expected", "found"],
      ...refusal.problems.map(({ line, column, expected, found }) => [
        line === null ? "-" : String(line),
        column ?? "-",
        expected,
        found ?? "-",
      ]),
    ]),
  );
  for (const message of new Set(refusal.problems.map((problem) => problem.message))) say(message);
  say("The statement was not loaded.");
}

function askMapping({ mapping, names, missing }: MappingQuestion, server: Server | null): void {
  print(mappingText(mapping));
  say(`Columns in the file: ${names.map(printable).join(", ")}`);
  if (server) {
    return say(
      `API keys cannot store a mapping. A signed-in operator can check and store it at ${server.url}/reconciliation/upload. The statement was not loaded.`,
    );
  }
  if (missing.length > 0) {
    const fields = missing.map((field) => (field === "code" ? "code or gateway_number" : field));
    say(`Choose the column of: ${fields.join(", ")}. For example: --column "NAME=${missing[0]}"`);
  }
  const columns = Object.entries(mapping.columns).map(
    ([field, name]) => `--column ${quoted(`${name}=${field}`)}`,
  );
  say(
    `Check the mapping. To store it for all statements of this lane, run the command again with: ${[...columns, "--confirm-mapping"].join(" ")}. The statement was not loaded.`,
  );
}
