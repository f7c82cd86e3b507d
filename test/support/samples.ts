import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "#intake/text/file-limits.ts";
import type { Problem } from "#intake/text/problems.ts";
import { type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { formatMoney, gatewayAmount } from "#money/format.ts";

const FOLDER = join(import.meta.dirname, "../../samples");

/** Every sample, as its path in samples/ without the ending. */
export const SAMPLES: readonly string[] = globSync("**/*.csv", { cwd: FOLDER })
  .map((path) => path.slice(0, -".csv".length).replaceAll("\\", "/"))
  .toSorted();

/**
 * The file next to a sample: how to read it, where that is not the default, and the expected
 * result.
 */
interface Expected {
  readonly settings?: SampleSettings;
  readonly limits?: Partial<FileLimits>;
  readonly result: unknown;
}

interface SampleSettings {
  readonly amountStyle?: RowSettings["amountStyle"];
  readonly bankCodes?: RowSettings["bankCodes"];
  readonly carries?: RowSettings["carries"];
  /** In minor units. */
  readonly amountLimits?: Readonly<Record<string, string>>;
  readonly crypto?: Readonly<
    Record<string, { chain: "tron" | "evm" | "bitcoin"; minorDigits: number }>
  >;
  readonly currencies?: readonly string[];
  readonly payoutCodes?: Readonly<Record<string, readonly string[]>>;
  readonly callbackOrigins?: readonly string[];
}

export const sampleBytes = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.csv`));

export function expectedOf(name: string): Expected {
  const path = join(FOLDER, `${name}.expected.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Expected) : { result: null };
}

function settingsOf({
  amountLimits,
  crypto,
  currencies,
  payoutCodes,
  callbackOrigins,
  ...plain
}: SampleSettings = {}): RowSettings {
  return {
    ...DEFAULT_ROW_SETTINGS,
    ...plain,
    ...(amountLimits && {
      amountLimits: new Map(
        Object.entries(amountLimits).map(([currency, minor]) => [currency, BigInt(minor)]),
      ),
    }),
    ...(crypto && { crypto: new Map(Object.entries(crypto)) }),
    ...(currencies && { currencies: new Set(currencies) }),
    ...(callbackOrigins && { callbackOrigins: new Set(callbackOrigins) }),
    ...(payoutCodes && {
      payoutCodes: new Map(
        Object.entries(payoutCodes).map(([currency, codes]) => [currency, new Set(codes)]),
      ),
    }),
  };
}

/** How the rows of a sample are read. */
export const sampleSettings = (name: string): RowSettings => settingsOf(expectedOf(name).settings);

/** Bytes as a stream of chunks of the given size. */
export async function* inChunks(bytes: Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface ReadFile {
  readonly verdicts: readonly RowVerdict[];
  /** About the whole file: why it is refused, or its findings. */
  readonly fileProblems: readonly Problem[];
  readonly refused: boolean;
  readonly facts: { encoding: string; delimiter: string; columns: readonly string[] } | null;
  /** Number of columns that payrun added in front of those of the file. */
  readonly added?: number;
}

/** Reads a whole file through the product's own reader. */
export async function readFile(
  bytes: AsyncIterable<Uint8Array>,
  settings: RowSettings = DEFAULT_ROW_SETTINGS,
  limits: FileLimits = DEFAULT_FILE_LIMITS,
): Promise<ReadFile> {
  const opened = await openFile(bytes, settings, { limits });
  if (!opened.ok) return { verdicts: [], fileProblems: opened.error, refused: true, facts: null };

  const verdicts: RowVerdict[] = [];
  for await (const chunk of opened.value.rows) verdicts.push(...chunk);
  const end = opened.value.end();
  const { encoding, delimiter, header, reading } = opened.value.facts;
  return {
    verdicts,
    fileProblems: end.ok ? end.value.notes : end.error,
    refused: !end.ok,
    facts: { encoding, delimiter, columns: header },
    added: reading.added ?? 0,
  };
}

export function readSample(name: string): Promise<ReadFile> {
  const { limits } = expectedOf(name);
  const bytes = inChunks(sampleBytes(name));
  return readFile(bytes, sampleSettings(name), { ...DEFAULT_FILE_LIMITS, ...limits });
}

const problemsOf = (row: RowVerdict) => (row.kind === "draft" ? row.warnings : row.problems);

export const allProblems = ({ verdicts, fileProblems }: ReadFile): readonly Problem[] => [
  ...fileProblems,
  ...verdicts.flatMap(problemsOf),
];

/** Content of a sample's expected.json: values, and problems by code, without the wording. */
export function resultOf(read: ReadFile): unknown {
  const brief = ({ code, severity, line, column, found }: Problem) =>
    [
      severity,
      code,
      line === null ? null : `line ${line}`,
      column,
      found === null ? null : `found ${found}`,
    ]
      .filter((part) => part !== null)
      .join(" · ");
  return {
    refused: read.refused,
    format: read.facts,
    file: read.fileProblems.map(brief),
    rows: read.refused
      ? []
      : read.verdicts.map((row) => ({
          line: row.line,
          ...(row.kind === "rejected"
            ? { rejected: row.problems.map(brief) }
            : {
                pays: `${row.draft.money.currency} ${formatMoney(row.draft.money)}`,
                sends: { transaction_amount: gatewayAmount(row.draft.money), ...row.draft.details },
                ...(row.warnings.length > 0 && { warnings: row.warnings.map(brief) }),
              }),
        })),
  };
}
