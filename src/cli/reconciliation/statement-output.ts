import { plural, print, printJson, say, table } from "#cli/terminal/output.ts";
import type { Comparison } from "#flows/reconciliation/compare-day.ts";
import type { LoadedStatement } from "#flows/reconciliation/statement-upload.ts";
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

interface Printed {
  readonly json?: boolean;
}

/** Prints a statement that has to be confirmed before it is compared. */
export function printProposed(
  { statement: { id, lane, day, lines, state }, isNew }: LoadedStatement,
  { json }: Printed,
): void {
  if (json) return printJson({ statement: { id, lane, day, lines, is_new: isNew, state } });
  print(`${lane}, ${day}: ${plural(lines, "line")}, not compared yet`);
  say("It replaces a compared statement. An approver must confirm it on the dashboard.");
}

/** Prints the result of a comparison. */
export function printResult(
  { statement, mapping, isNew }: LoadedStatement,
  compared: Comparison,
  { json }: Printed,
): void {
  const { lane, day, lines } = statement;
  if (json) {
    const { version, columns } = mapping;
    const loaded = { id: statement.id, lane, day, lines, is_new: isNew, mapping: version, columns };
    return printJson({ statement: loaded, ...compared });
  }
  if (!isNew) say("This statement had been loaded before.");
  print(`${lane}, ${day}: ${plural(lines, "line")}, mapping ${mapping.version}`);
  print(
    `${plural(compared.matched, "payout")} of the ledger on the statement, ${plural(compared.payouts, "payout")} compared`,
  );
  const found = Object.entries(compared.breaks);
  if (compared.others > 0) {
    print(`${plural(compared.others, "code")} of deposits and other currencies not compared`);
  }
  if (compared.countedHere > 0) {
    print(
      `${plural(compared.countedHere, "payout")} settled on the day before or after and counted on this day`,
    );
  }
  if (!compared.hasBalances) print("the balance was not compared");
  const reopened = compared.reopened.length;
  if (reopened > 0) print(`${plural(reopened, "resolved break")} opened again: values changed`);
  if (compared.closed > 0) print(`${plural(compared.closed, "earlier break")} closed`);
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
