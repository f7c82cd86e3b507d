import type { Command } from "commander";
import { systemClock } from "#base/clock.ts";
import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { assertFile, fileNameOf } from "#cli/terminal/file.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { localOnly, RUN_ON_LEDGER_MACHINE } from "#cli/terminal/server-options.ts";
import { currentActor, plural, print, printJson, say, table } from "#cli/terminal/output.ts";
import { LANE_ARGUMENT, localLane, unknownLane } from "#cli/payout/lane-name.ts";
import { mappingText, printProposed, printResult } from "#cli/reconciliation/statement-output.ts";
import type {
  LoadRefusal,
  MappingQuestion,
  StatementUpload,
} from "#flows/reconciliation/statement-upload.ts";
import type { StatementBalances } from "#ledger/reconciliation/statements.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { parseDecimal } from "#money/money.ts";
import { amountStyleOf, parseChoices, payoutSignOf } from "#reconciliation/mapping-choices.ts";
import {
  PAYOUT_SIGNS,
  STATEMENT_FIELD_NAMES,
  STATEMENT_STATUSES,
  type StatementMapping,
} from "#reconciliation/statement-mapping.ts";
import type { StatementAccount } from "#reconciliation/statement-reader.ts";

interface Flags {
  readonly lane: string;
  readonly day: string;
  readonly column: readonly string[];
  readonly word: readonly string[];
  readonly zone?: string;
  readonly amounts?: string;
  readonly sign?: string;
  readonly confirmMapping?: boolean;
  readonly outsideDay?: string;
  readonly lines?: string;
  readonly total?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly deposits?: string;
  readonly json?: boolean;
}

const collect = (text: string, texts: readonly string[]): readonly string[] => [...texts, text];

/** Adds `payrun reconcile` to the program. */
export function reconcileCommand(program: Command): void {
  localOnly(program.command("reconcile"), RUN_ON_LEDGER_MACHINE)
    .argument("<file>", "statement of the gateway's back office (CSV or XLSX)")
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
    .option("--total <amount>", "sum of all amounts without signs, to detect an incomplete file")
    .option("--opening <amount>", "balance at the start of the day")
    .option("--closing <amount>", "balance at the end of the day")
    .option("--deposits <amount>", "money paid in on the day; required with the balances")
    .option("--json", "print JSON")
    .action(reconcile);
}

async function reconcile(file: string, flags: Flags): Promise<void> {
  await assertFile(file);
  const { loadStatement } = await import("#flows/reconciliation/load-statement.ts");
  const { compareDay } = await import("#flows/reconciliation/compare-day.ts");
  await withLedger(async (open) => {
    const deps = { ledger: open.ledger, clock: systemClock };
    const loaded = await loadStatement(await uploadOf(file, flags, open), deps);
    if (!loaded.ok) return refuse(loaded.error, flags);
    const { statement } = loaded.value;
    if (statement.state === "proposed") return printProposed(loaded.value, flags);
    const compared = await compareDay(statement, currentActor(), deps);
    if (!compared.ok) {
      throw new CliError(
        EXIT.problems,
        "Another statement has replaced this one. Nothing changed.",
      );
    }
    printResult(loaded.value, compared.value, flags);
    if (Object.keys(compared.value.breaks).length > 0) process.exitCode = EXIT.problems;
  });
}

async function uploadOf(file: string, flags: Flags, open: OpenLedger): Promise<StatementUpload> {
  const { createReadStream } = await import("node:fs");
  const lane = await localLane(flags.lane.toUpperCase(), open);
  const account = await accountOf(lane, open);
  return {
    lane,
    account,
    day: await dayOf(flags.day),
    fileName: fileNameOf(file),
    actor: currentActor(),
    open: () => createReadStream(file),
    changes: await changesOf(flags),
    isConfirmed: flags.confirmMapping === true,
    isReview: false,
    outsideDay: countOf(flags.outsideDay, "--outside-day") ?? 0,
    control: {
      lines: countOf(flags.lines, "--lines"),
      total: flags.total === undefined ? null : totalOf(flags.total, account),
    },
    balances: balancesOf(flags, account),
  };
}

async function accountOf(lane: string, { ledger }: OpenLedger): Promise<StatementAccount> {
  const lanes = await ledger.payout.findAllLanes();
  const known = lanes.find((each) => each.lane === lane);
  if (!known) throw unknownLane(lane);
  return { currency: known.currency, minorDigits: known.minorDigits };
}

async function dayOf(text: string): Promise<string> {
  const { isDay } = await import("#reconciliation/statement-time.ts");
  if (isDay(text)) return text;
  throw usage(`--day ${text} is not a date such as 2026-11-26.`);
}

const usage = (text: string): CliError => new CliError(EXIT.usage, `${text} No changes were made.`);

function countOf(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`${option} needs a number.`);
}

function totalOf(text: string, { minorDigits }: StatementAccount) {
  const total = parseDecimal(text, minorDigits);
  if (total) return total;
  throw usage("--total needs an exact amount such as 1000.50.");
}

async function changesOf({
  column,
  word,
  zone,
  amounts,
  sign: signName,
}: Flags): Promise<Partial<StatementMapping>> {
  const { isZone } = await import("#schedule/calendar.ts");
  const choices = parseChoices(column, word);
  if (!choices.ok)
    throw usage(`"${printable(choices.error)}" is not a column or word with its meaning.`);
  const sign = signName === undefined ? undefined : payoutSignOf(signName);
  if (signName !== undefined && !sign) throw usage(`--sign "${signName}" is not a known sign.`);
  const style = amounts === undefined ? undefined : amountStyleOf(amounts);
  if (amounts !== undefined && !style) throw usage(`--amounts "${amounts}" is not a known style.`);
  if (zone !== undefined && !isZone(zone)) throw usage(`--zone ${zone} is not a time zone.`);
  const { columns, words } = choices.value;
  return {
    ...(column.length > 0 && { columns }),
    ...(word.length > 0 && { words }),
    ...(style && { amountStyle: style }),
    ...(sign && { payoutSign: sign }),
    ...(zone !== undefined && { zone }),
  };
}

function balancesOf(
  { opening, closing, deposits }: Flags,
  { minorDigits }: StatementAccount,
): StatementBalances | null {
  if (opening === undefined && closing === undefined && deposits === undefined) return null;
  const minor = (text: string | undefined, option: string): bigint => {
    const read = text === undefined ? null : parseDecimal(text, minorDigits);
    if (read?.minorDigits !== minorDigits) {
      throw usage(`${option} needs an exact amount such as 1000.50.`);
    }
    return read.minor;
  };
  return {
    opening: minor(opening, "--opening"),
    closing: minor(closing, "--closing"),
    deposits: minor(deposits, "--deposits"),
  };
}

function refuse(refusal: LoadRefusal, { json }: Flags): void {
  process.exitCode = EXIT.problems;
  if (json) return printJson(refusal);
  if (refusal.kind === "mapping_unconfirmed") return askMapping(refusal);
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

function askMapping({ mapping, names, missing }: MappingQuestion): void {
  print(mappingText(mapping));
  say(`Columns in the file: ${names.map(printable).join(", ")}`);
  if (missing.length > 0) {
    say(`Choose the column of: ${missing.join(", ")}. For example: --column "NAME=${missing[0]}"`);
  }
  say(
    "Check the mapping. To store it for all statements of this lane, run the command again with --confirm-mapping. The statement was not loaded.",
  );
}
