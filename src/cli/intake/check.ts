import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { FileTotals, FileFacts } from "#intake/file-reader.ts";
import { FindingTally } from "#intake/findings.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Config } from "#app/config.ts";
import type { GatewayConfig } from "#app/gateway-config.ts";
import { problemLines, totalsTable } from "#cli/batch/check-report.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { fileNameOf, openFile } from "#cli/terminal/file.ts";
import { plural, print, printJson } from "#cli/terminal/output.ts";
import {
  type ReadingFlags,
  readingChoices,
  withReadingOptions,
} from "#cli/terminal/reading-options.ts";
import { checkAgainCommand } from "#cli/intake/check-again.ts";
import { fileProgress } from "#cli/intake/file-progress.ts";
import type { RejectsFile } from "#cli/intake/rejects.ts";
import { err, type Result } from "#base/result.ts";

interface CheckOptions extends ReadingFlags {
  readonly json?: true;
  readonly rejects?: string;
}

/**
 * The result of reading a file, or why the whole file is refused. The tally holds the problems of
 * rows in both cases.
 */
type Checked = Result<FileTotals, readonly Problem[]>;

/**
 * `payrun check FILE`: reads the file and changes nothing. Exit code 3 if a row or the file is
 * refused.
 */
export function checkCommand(program: Command): void {
  withReadingOptions(program.command("check"))
    .description("validate a payout file without storing it or sending payouts")
    .argument("<file>", "a CSV file, an XLSX workbook, or - for standard input")
    .option("--json", "print JSON")
    .option(
      "--rejects <out.csv>",
      "file for the rejected rows, with their problems and how to correct them",
    )
    .action(async (file: string, options: CheckOptions) => {
      const { readConfig, rowSettings } = await import("#app/config.ts");
      const { merchantsIfAny } = await import("#app/gateway-config.ts");
      const config = readConfig();
      const merchants = merchantsIfAny(config);
      const base = rowSettings(config, null);
      const settings = {
        ...base,
        amountStyle: options.amounts ?? base.amountStyle,
        amountsConfirmed: options.amounts !== undefined,
        amountsFixed: options.amounts !== undefined,
        carriesOf: rowSettings(config, merchants).carriesOf,
      };
      process.exitCode = await check(file, options, settings, layoutsOf(config, merchants));
    });
}

/** The layouts assumed for payouts, and where they come from. */
interface AssumedLayouts {
  readonly default: Config["GATEWAY_PAYOUT_LAYOUT"];
  readonly escaping: Config["GATEWAY_ESCAPING"];
  /** Null: no merchants are configured, each of which may have its own layout. */
  readonly merchants:
    | readonly {
        readonly merchant_code: string;
        readonly currencies: readonly string[];
        readonly layout: Config["GATEWAY_PAYOUT_LAYOUT"];
      }[]
    | null;
}

const layoutsOf = (
  config: Config,
  merchants: GatewayConfig["merchants"] | null,
): AssumedLayouts => ({
  default: config.GATEWAY_PAYOUT_LAYOUT,
  escaping: config.GATEWAY_ESCAPING,
  merchants:
    merchants?.flatMap(({ merchantCode, currencies, payoutLayout }) =>
      payoutLayout ? [{ merchant_code: merchantCode, currencies, layout: payoutLayout }] : [],
    ) ?? null,
});

function layoutLine({ default: usual, escaping, merchants }: AssumedLayouts): string {
  const written = (layout: string) =>
    layout === "name=value" && escaping === "percent" ? "name=value, percent-escaped" : layout;
  const own = (merchants ?? []).map(
    ({ merchant_code, currencies, layout }) =>
      `${written(layout)} for ${currencies.join(", ")} (payout_layout of merchant ${merchant_code})`,
  );
  const rest = merchants === null ? "; no merchants are configured" : "";
  return `Assumed layout: ${[written(usual), ...own].join("; ")}${rest}`;
}

/** Validates one file, prints the findings and returns the exit code. */
async function check(
  file: string,
  options: CheckOptions,
  settings: RowSettings,
  layouts: AssumedLayouts,
): Promise<number> {
  if (options.rejects !== undefined) await refuseSameFile(file, options.rejects);
  const { openFile } = await import("#intake/file-reader.ts");
  const { openRejects } = await import("#cli/intake/rejects.ts");
  const tally = new FindingTally();
  const { columns, currency } = readingChoices(options);
  const { bytes, size } = await contentOf(file);
  const progress = fileProgress(size);
  const opened = await openFile(progress.count(bytes), settings, {
    columns: { ...(columns && { confirmed: columns }), ...(currency && { currency }) },
    ...(size !== null && { reopen: () => contentAgain(file) }),
  });

  let facts: FileFacts | null = null;
  let checked: Checked = opened.ok ? err([]) : opened;
  if (opened.ok) {
    facts = opened.value.facts;
    const rejects =
      options.rejects === undefined ? null : await openRejects(options.rejects, facts);
    try {
      await readRows(opened.value.rows, tally, rejects, progress);
      checked = opened.value.end();
      if (checked.ok) await rejects?.finish();
    } finally {
      await rejects?.discard();
    }
  }
  tally.addProblems(checked.ok ? checked.value.notes : checked.error);

  const again = checked.ok || file === "-" ? null : checkAgainCommand(file, options, checked.error);
  const name = file === "-" ? "standard input" : fileNameOf(file);
  if (options.json) printJson({ ...documentOf(file, facts, checked, tally), layouts });
  else {
    const report = reportOf(name, facts, checked, tally, layoutLine(layouts));
    const next = again === null ? [] : ["", "To read the file like this:", `  ${again}`];
    print([...report, ...next].join("\n"));
  }
  return checked.ok && checked.value.rejected === 0 ? EXIT.ok : EXIT.problems;
}

async function readRows(
  rows: AsyncIterable<readonly RowVerdict[]>,
  tally: FindingTally,
  rejects: RejectsFile | null,
  progress: ReturnType<typeof fileProgress>,
): Promise<void> {
  try {
    for await (const chunk of rows) {
      for (const verdict of chunk) tally.addRow(verdict);
      await rejects?.add(chunk.filter((verdict) => verdict.kind === "rejected"));
      progress.addRows(chunk.length);
    }
  } finally {
    progress.clear();
  }
}

/** The document of `--json`. Its fields are a contract. */
function documentOf(file: string, facts: FileFacts | null, checked: Checked, tally: FindingTally) {
  const end = checked.ok ? checked.value : null;
  return {
    file,
    rows: end?.rows ?? 0,
    rejected: end?.rejected ?? 0,
    warnings: end?.warnings ?? 0,
    // The totals of a file that is broken in the middle have no meaning.
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
  layout: string,
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
      ...part("The entire file was rejected:", errors),
      ...part("Warnings:", warnings),
    ];
  }
  const { rows, rejected } = checked.value;
  const verdict =
    rejected === 0
      ? "Every row can be paid."
      : `${rejected} of ${plural(rows, "row")} must be corrected before payment.`;
  return [
    `${name}: ${plural(rows, "row")}, ${read}`,
    layout,
    ...part("Can be paid:", totalsTable(tally)),
    ...part("To be corrected:", errors),
    ...part("Warnings:", warnings),
    "",
    verdict,
  ];
}

interface Content {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Null: unknown. */
  readonly size: number | null;
}

async function contentOf(file: string): Promise<Content> {
  if (file === "-") return { bytes: process.stdin, size: null };
  const handle = await openFile(file);
  const stat = await handle.stat();
  const bytes = handle.createReadStream({ highWaterMark: 1 << 18 });
  return { bytes, size: stat.isFile() ? stat.size : null };
}

async function* contentAgain(file: string): AsyncGenerator<Uint8Array> {
  yield* (await contentOf(file)).bytes;
}

/** The file of rejected rows must not replace the file from which it is created. */
async function refuseSameFile(file: string, rejects: string): Promise<void> {
  const real = async (path: string) => realpath(path).catch(() => resolve(path));
  if (file !== "-" && (await real(file)) === (await real(rejects))) {
    throw new CliError(
      EXIT.usage,
      `--rejects ${rejects} is the file being checked. Choose another name. No file was written.`,
    );
  }
}
