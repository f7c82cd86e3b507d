import type { StatementResult } from "#api/reconciliation/statements.ts";
import { plural, print, printJson, say, table } from "#cli/terminal/output.ts";
import { BREAK_CLASSES } from "#reconciliation/break-classes.ts";
import {
  STATEMENT_FIELD_NAMES,
  STATEMENT_FIELDS,
  type StatementMapping,
} from "#reconciliation/statement-mapping.ts";

/** Returns a mapping as a table for people. */
export function mappingText({
  columns,
  words,
  amountStyle,
  payoutSign,
  zone,
}: StatementMapping): string {
  return table([
    ...STATEMENT_FIELD_NAMES.map((field) => [
      field,
      columns[field] ?? "not read",
      STATEMENT_FIELDS[field].means,
    ]),
    ...Object.entries(words).map(([word, status]) => ["word", word, status]),
    ["amounts", amountStyle, "style of the amounts"],
    ["sign", payoutSign, "sign of the amounts of payouts"],
    ["zone", zone, "time zone of the business day"],
  ]);
}

/** Prints the result of an upload. */
export function printResult(result: StatementResult, { json }: { readonly json?: boolean }): void {
  if (json) return printJson(result);
  const { statement, comparison } = result;
  const { lane, day, mapping_version: mapping } = statement;
  const lines = `${lane}, ${day}: ${plural(statement.lines, "line")}`;
  if (!comparison) {
    print(`${lines}, not compared yet`);
    return say("It replaces a compared statement. An approver must confirm it on the dashboard.");
  }
  if (!statement.is_new) say("This statement had been loaded before.");
  print(`${lines}, mapping ${mapping}`);
  const { payouts, matched, others, counted_here: counted, closed, reopened, breaks } = comparison;
  print(
    `${plural(matched, "payout")} of the ledger on the statement, ${plural(payouts, "payout")} compared`,
  );
  if (others > 0) print(`${plural(others, "code")} of deposits and other currencies not compared`);
  if (counted > 0) {
    print(
      `${plural(counted, "payout")} settled on the day before or after and counted on this day`,
    );
  }
  if (!comparison.has_balances) print("the balance was not compared");
  if (reopened > 0) print(`${plural(reopened, "resolved break")} opened again: values changed`);
  if (closed > 0) print(`${plural(closed, "earlier break")} closed`);
  const found = Object.entries(breaks);
  if (found.length === 0) return print("no breaks");
  const classes: Readonly<Record<string, string>> = BREAK_CLASSES;
  print(
    table(
      found.map(([name, count]) => [String(count), name, classes[name] ?? ""]),
      new Set([0]),
    ),
  );
  say(`To list the breaks: payrun breaks list --lane ${lane} --day ${day}`);
}
