import type { BatchState } from "#batch/lifecycle.ts";
import { withLedger } from "#cli/open.ts";
import { type ServerFlags, serverOf } from "#cli/where.ts";
import type { Progress } from "#ledger/ledger.ts";

/** A batch as `--json` shows it, whoever keeps it. A contract: fields are only added. */
export interface BatchDocument {
  readonly batch_id: string;
  readonly state: BatchState;
  readonly file: string;
  readonly digest: string;
  readonly content_digest: string;
  readonly rows: number;
  readonly rejected: number;
  /** Per currency: what the accepted rows come to, exact decimal text. */
  readonly totals: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly approved_at: string | null;
  readonly finished_at: string | null;
}

/** What keeps a lane from sending: it stopped by itself, or a person has paused it. */
export interface Stop {
  readonly lane: string;
  readonly reason: string;
  readonly needs: "wait" | "person" | "answers";
  readonly stopped_at: string;
  readonly retry_at: string | null;
}

export interface ShownBatch {
  readonly document: BatchDocument;
  readonly reason: string | null;
  readonly progress: readonly Progress[];
  readonly stopped: readonly Stop[];
  /** Why the whole ledger sends nothing, alone and in a sentence; null: it may send. */
  readonly frozen: { readonly reason: string; readonly says: string } | null;
}

/** The batches of a ledger, here or at a server. What cannot be done is a CliError that says why. */
export interface Batches {
  /** The newest first. */
  list(): Promise<readonly BatchDocument[]>;
  show(id: string): Promise<ShownBatch>;
  approve(id: string, totals: readonly string[]): Promise<void>;
  pause(id: string, reason: string | null): Promise<void>;
  /** The lanes that were opened with it. */
  resume(id: string, reason: string | null): Promise<readonly string[]>;
  /** How many payouts were cancelled. */
  cancel(id: string, reason: string | null): Promise<number>;
  /** Every row and what became of it: CSV, or a line of JSON for each. */
  report(id: string, format: "csv" | "jsonl"): AsyncIterable<string | Uint8Array>;
}

export const BATCHES_LISTED_MAX = 200;

/** The batches of the server that was named, or of the ledger of this machine. */
export async function withBatches(
  flags: ServerFlags,
  run: (batches: Batches) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { batchesThere } = await import("#cli/batches-there.ts");
    return run(batchesThere(server));
  }
  const { batchesHere } = await import("#cli/batches-here.ts");
  return withLedger((open) => run(batchesHere(open)));
}
