import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What a campaign leaves behind, as the checker sees it: the files that were to be paid, the gateway's book, payrun's
 * export, and every text in which nothing secret may stand. Everything here is read anew; no line of payrun's is used.
 */
export interface Campaign {
  readonly rows: readonly FileRow[];
  readonly book: readonly BookLine[];
  readonly batches: readonly BatchRecord[];
  readonly payouts: readonly PayoutRecord[];
  readonly audit: readonly AuditRecord[];
  readonly texts: Iterable<{ readonly name: string; readonly text: string }>;
  readonly bounds: Bounds;
}

/** What the campaign says about itself. */
export interface Bounds {
  /** The most requests that may be in service at the gateway at once: processes times their limit. */
  readonly at_once_max: number;
  /** Regular expressions of what may stand in no log, queue or error text: account numbers, keys. */
  readonly secrets: readonly string[];
  /** PAYRUN_KEY of the campaign, which signs its audit log. */
  readonly payrun_key: string;
  /** The files that a schedule was to make, each once. What was not to be sent yet waits for a time days ahead. */
  readonly occurrences: readonly { readonly file: string; readonly sent: boolean }[];
  readonly lanes: readonly LaneWord[];
  /** Of each lane of these files so many payouts, the first by line, had to settle before the rest was sent. */
  readonly canaries: readonly { readonly file: string; readonly payouts: number }[];
  /** So many payouts of a lane might be in doubt; above that nothing new was to be claimed. */
  readonly ceilings: readonly { readonly currency: string; readonly payouts: number }[];
}

/** What an operator said of the lane of a currency, and from when to when it held for certain: milliseconds. */
export interface LaneWord {
  readonly kind: "limit" | "freeze" | "drain";
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  /** Of a limit: payouts a second. */
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

export interface BookLine {
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
  /** Which of the ledger's keys signed it; 0: none. A campaign has one. */
  readonly key: number;
}

/** `files/*.csv`, `book.jsonl`, `export.jsonl`, `bounds.json`, and whatever lies in `texts/`. */
export function readCampaign(folder: string): Campaign {
  const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");
  const records = jsonLines(read("export.jsonl")) as { kind: string }[];
  const of = <T>(kind: string) =>
    records.filter((record) => record.kind === kind) as unknown as T[];
  return {
    rows: readdirSync(join(folder, "files")).flatMap((file) => rowsOf(file, read("files", file))),
    book: jsonLines(read("book.jsonl")) as BookLine[],
    batches: of<BatchRecord>("batch"),
    payouts: of<PayoutRecord>("payout"),
    audit: of<AuditRecord>("audit"),
    texts: textsIn(join(folder, "texts")),
    bounds: JSON.parse(read("bounds.json")) as Bounds,
  };
}

/** Bytes as they are, one file in memory at a time. */
function* textsIn(folder: string): Generator<{ name: string; text: string }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield { name: path.slice(folder.length + 1), text: readFileSync(path, "latin1") };
  }
}

/** A last line without its end was never answered: it is left out, as the simulator leaves it out. */
const jsonLines = (text: string): unknown[] =>
  text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as unknown];
      } catch {
        return []; // half a line that a killed process left, with the next one's beginning after it
      }
    });

/** The campaign writes its files without quotes; a quote would make every line after it a guess. */
export function rowsOf(file: string, text: string): FileRow[] {
  if (text.includes('"')) throw new Error(`${file} holds a quote, which this reader cannot read`);
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
