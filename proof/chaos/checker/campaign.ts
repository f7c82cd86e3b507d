import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The files of a finished campaign, as the checker reads them: the input files, the gateway's
 * transaction log, payrun's export, and every text that must not contain a secret. It parses
 * everything itself and uses no code of payrun.
 */
export interface Campaign {
  readonly rows: readonly FileRow[];
  readonly book: readonly LogLine[];
  readonly batches: readonly BatchRecord[];
  readonly payouts: readonly PayoutRecord[];
  readonly audit: readonly AuditRecord[];
  readonly texts: Iterable<{ readonly name: string; readonly text: string }>;
  readonly bounds: Bounds;
}

/** Facts that the campaign states about itself. */
export interface Bounds {
  /**
   * Maximum number of requests that may be in service at the gateway at once: processes times their
   * limit.
   */
  readonly at_once_max: number;
  /**
   * Regular expressions of account numbers and keys, which may appear in no log, queue or error
   * text.
   */
  readonly secrets: readonly string[];
  /** PAYRUN_KEY of the campaign, which signs its audit log. */
  readonly payrun_key: string;
  /**
   * Files that a schedule had to create once each. Files not yet due wait for a time days ahead.
   */
  readonly occurrences: readonly { readonly file: string; readonly sent: boolean }[];
  readonly lanes: readonly LaneOrder[];
  /**
   * Number of payouts per lane of these files, the first by line, that had to settle before the
   * rest was sent.
   */
  readonly canaries: readonly { readonly file: string; readonly payouts: number }[];
  /** Number of payouts of a lane that may be in doubt. Above it no new payout may be claimed. */
  readonly ceilings: readonly { readonly currency: string; readonly payouts: number }[];
}

/**
 * An operator's command for the lane of a currency, with the period in which it certainly applied:
 * milliseconds.
 */
export interface LaneOrder {
  readonly kind: "limit" | "freeze" | "drain";
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  /** Of a limit: payouts per second. */
  readonly rate?: number;
}

export interface FileRow {
  readonly file: string;
  readonly line: number;
  readonly currency: string;
  readonly amount: string;
  readonly account: string;
  readonly bank: string;
}

export interface LogLine {
  readonly seq: number;
  readonly at: number;
  readonly event: string;
  readonly transaction_code: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly payee?: string;
  readonly code?: string;
  readonly fault?: string;
  readonly at_once: number;
  readonly questions: number;
}

export interface BatchRecord {
  readonly batch_id: string;
  readonly file: string;
  readonly state: string;
}

export interface PayoutRecord {
  readonly transaction_code: string;
  readonly batch_id: string;
  readonly line: number;
  readonly currency: string;
  readonly amount: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: readonly { readonly number: number; readonly opened_at: string }[];
  readonly evidence: readonly {
    readonly kind: string;
    readonly at: string;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
  readonly transitions: readonly {
    readonly seq: number;
    readonly event: string;
    readonly from: string;
    readonly to: string;
    readonly at: string;
  }[];
}

export interface AuditRecord {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly facts: string;
  readonly hash: string;
  /** Number of the ledger's key that signed it; 0: none. A campaign has one key. */
  readonly key: number;
}

/** `files/*.csv`, `book.jsonl`, `export.jsonl`, `bounds.json`, and everything in `texts/`. */
export function readCampaign(folder: string): Campaign {
  const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");
  const records = jsonLines(read("export.jsonl")) as { kind: string }[];
  const of = <T>(kind: string) =>
    records.filter((record) => record.kind === kind) as unknown as T[];
  return {
    rows: readdirSync(join(folder, "files")).flatMap((file) => rowsOf(file, read("files", file))),
    book: jsonLines(read("book.jsonl")) as LogLine[],
    batches: of<BatchRecord>("batch"),
    payouts: of<PayoutRecord>("payout"),
    audit: of<AuditRecord>("audit"),
    texts: textsIn(join(folder, "texts")),
    bounds: JSON.parse(read("bounds.json")) as Bounds,
  };
}

/** Raw bytes, one file in memory at a time. */
function* textsIn(folder: string): Generator<{ name: string; text: string }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield { name: path.slice(folder.length + 1), text: readFileSync(path, "latin1") };
  }
}

/** An incomplete last line was never answered. It is left out, as the simulator does. */
const jsonLines = (text: string): unknown[] =>
  text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as unknown];
      } catch {
        return []; // half a line of a killed process, followed by the next line
      }
    });

/**
 * The campaign writes its files without quotes. With a quote, every later line number would be a
 * guess.
 */
export function rowsOf(file: string, text: string): FileRow[] {
  if (text.includes('"'))
    throw new Error(`${file} contains a quote, which this reader cannot read`);
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line, at) => {
    const cells = line.split(",");
    const cell = (name: string) => cells[names.indexOf(name)] ?? "";
    return {
      file,
      line: at + 2,
      currency: cell("currency_code"),
      amount: cell("transaction_amount"),
      account: cell("bank_account_number"),
      bank: cell("bank_code") || cell("ifsc_code"),
    };
  });
}
