import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { BatchEnd, FileFacts } from "#batch/batch.ts";
import { FindingTally } from "#batch/findings.ts";
import type { Problem } from "#batch/problems.ts";
import type { RowSettings, RowVerdict } from "#batch/row.ts";
import { systemClock } from "#clock.ts";
import { problemLines, totalsTable } from "#cli/check-report.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { fileNameOf, openFile } from "#cli/file.ts";
import { clearLine, showLine } from "#cli/live-line.ts";
import { plural, print, printJson } from "#cli/output.ts";
import type { RejectsFile } from "#cli/rejects.ts";
import { AMOUNT_STYLE_NAMES, type AmountStyle } from "#money/parse.ts";
import { err, type Result } from "#result.ts";

interface CheckOptions {
  readonly json?: true;
  readonly rejects?: string;
  readonly amounts?: AmountStyle;
}

/** What was read, or why the file as a whole is refused. Problems of rows are in the tally in both cases. */
type Checked = Result<BatchEnd, readonly Problem[]>;

/** `payrun check FILE`: reads the file, touches nothing else. Exit code 3 where a row or the file is refused. */
export function checkCommand(program: Command): void {
  program
    .command("check")
    .description("check a file of payouts; nothing is stored or paid")
    .argument("<file>", "a CSV file or an XLSX workbook, or - for standard input")
    .option("--json", "print one JSON document")
    .option("--rejects <out.csv>", "write the refused rows with their problems and repairs")
    .addOption(
      new Option("--amounts <style>", "how the file writes amounts").choices(AMOUNT_STYLE_NAMES),
    )
    .action(async (file: string, options: CheckOptions) => {
      const { readConfig, rowSettings } = await import("#config.ts");
      const base = rowSettings(readConfig(), null);
      const settings = options.amounts ? { ...base, amountStyle: options.amounts } : base;
      process.exitCode = await check(file, options, settings);
    });
}

/** Checks one file and prints what was found; returns the exit code. */
async function check(file: string, options: CheckOptions, settings: RowSettings): Promise<number> {
  if (options.rejects !== undefined) await refuseSameFile(file, options.rejects);
  const { openBatch } = await import("#batch/batch.ts");
  const { openRejects } = await import("#cli/rejects.ts");
  const tally = new FindingTally();
  const opened = await openBatch(await bytesOf(file), settings);

  let facts: FileFacts | null = null;
  let checked: Checked = opened.ok ? err([]) : opened;
  if (opened.ok) {
    facts = opened.value.facts;
    const rejects =
      options.rejects === undefined ? null : await openRejects(options.rejects, facts);
    try {
      await readRows(opened.value.rows, tally, rejects);
      checked = opened.value.end();
      if (checked.ok) await rejects?.finish();
    } finally {
      await rejects?.discard();
    }
  }
  tally.addProblems(checked.ok ? checked.value.notes : checked.error);

  const name = file === "-" ? "standard input" : fileNameOf(file);
  if (options.json) printJson(documentOf(file, facts, checked, tally));
  else print(reportOf(name, facts, checked, tally).join("\n"));
  return checked.ok && checked.value.rejected === 0 ? EXIT.ok : EXIT.problems;
}

const SHOW_EVERY_MS = 250;

async function readRows(
  rows: AsyncIterable<readonly RowVerdict[]>,
  tally: FindingTally,
  rejects: RejectsFile | null,
): Promise<void> {
  let read = 0;
  let shownMs = systemClock.monotonicMs();
  try {
    for await (const chunk of rows) {
      for (const verdict of chunk) tally.addRow(verdict);
      await rejects?.add(chunk.filter((verdict) => verdict.kind === "rejected"));
      read += chunk.length;
      if (systemClock.monotonicMs() - shownMs < SHOW_EVERY_MS) continue;
      shownMs = systemClock.monotonicMs();
      showLine(`${read.toLocaleString("en")} rows read`);
    }
  } finally {
    clearLine();
  }
}

/** The document of `--json`: its fields are a contract. */
function documentOf(file: string, facts: FileFacts | null, checked: Checked, tally: FindingTally) {
  const end = checked.ok ? checked.value : null;
  return {
    file,
    rows: end?.rows ?? 0,
    rejected: end?.rejected ?? 0,
    warnings: end?.warnings ?? 0,
    // The sums of a file that is broken in the middle are the sums of nothing.
    totals: end ? tally.totalTexts() : {},
    format: facts && {
      encoding: facts.encoding,
      delimiter: facts.delimiter,
      columns: facts.header,
    },
    digest: end?.digest ?? null,
    problems_total: tally.problems,
    problems: tally.listed,
  };
}

const DELIMITER_NAMES = { ",": "comma", ";": "semicolon", "\t": "tab" } as const;

function reportOf(
  name: string,
  facts: FileFacts | null,
  checked: Checked,
  tally: FindingTally,
): readonly string[] {
  const read = facts
    ? `${facts.encoding}, ${DELIMITER_NAMES[facts.delimiter]}, ${facts.header.length} columns`
    : "not read";
  const errors = problemLines(tally, "error");
  const warnings = problemLines(tally, "warning");
  const part = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ["", title, ...lines] : [];
  if (!checked.ok) {
    return [
      `${name}: ${read}`,
      ...part("The file is refused as a whole:", errors),
      ...part("Warnings:", warnings),
    ];
  }
  const { rows, rejected } = checked.value;
  const verdict =
    rejected === 0
      ? "Every row can be paid."
      : `${rejected} of ${plural(rows, "row")} cannot be paid without a repair.`;
  return [
    `${name}: ${plural(rows, "row")}, ${read}`,
    ...part("Can be paid:", totalsTable(tally)),
    ...part("To be repaired:", errors),
    ...part("Warnings:", warnings),
    "",
    verdict,
  ];
}

async function bytesOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return process.stdin;
  return (await openFile(file)).createReadStream({ highWaterMark: 1 << 18 });
}

/** The file of rejects must not replace the file that it is made from. */
async function refuseSameFile(file: string, rejects: string): Promise<void> {
  const real = async (path: string) => realpath(path).catch(() => resolve(path));
  if (file !== "-" && (await real(file)) === (await real(rejects))) {
    throw new CliError(EXIT.usage, `--rejects ${rejects}: this is the file that is checked`);
  }
}
