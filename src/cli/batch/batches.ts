import type { z } from "zod";
import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { SendTimeView } from "#api/schedule/send-times.ts";
import type { CanaryView } from "#api/app/circuit-breakers.ts";
import type { Priority } from "#payout/priority.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { ReadingFlags } from "#cli/terminal/reading-options.ts";
import { withLedger, withPayrun } from "#cli/terminal/open.ts";
import { type ServerFlags, serverOf } from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";
import type { Progress } from "#ledger/ledger.ts";
import type { CircuitBreaker } from "#payout/circuit-breakers.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { LocalMoment } from "#schedule/local-time.ts";
import { withLocalApi } from "#cli/terminal/local-api.ts";

/**
 * A batch in the format of `--json`, for the local ledger and for a server. A contract: fields are
 * only added.
 */
export interface BatchDocument {
  readonly batch_id: string;
  readonly state: BatchState;
  readonly file: string;
  /** Name of the batch given by its uploader. */
  readonly name: string | null;
  readonly digest: string;
  readonly content_digest: string;
  /** Exact duplicates block the approval until an uploader gives a reason. */
  readonly needs_duplicate_reason?: boolean;
  readonly rows: number;
  readonly rejected: number;
  /** Total of the accepted rows per currency, as exact decimal text. */
  readonly totals: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly approved_at: string | null;
  readonly finished_at: string | null;
}

/** The reason why a lane does not send: it stopped automatically, or a person paused it. */
export interface Stop {
  readonly lane: string;
  readonly reason: string;
  readonly needs: "wait" | "person" | "answers";
  readonly stopped_at: string;
  readonly retry_at: string | null;
  /** Null: a person paused it. */
  readonly breaker: CircuitBreaker | null;
}

export type SendTimeShown = z.output<typeof SendTimeView>;

export interface ShownBatch {
  readonly document: BatchDocument;
  readonly reason: string | null;
  readonly priority: Priority;
  readonly progress: readonly Progress[];
  readonly stopped: readonly Stop[];
  /** The time at which it is or was sent. Null: immediately after approval. */
  readonly send: SendTimeShown | null;
  readonly canary: z.output<typeof CanaryView>;
  /**
   * The reason why it is neither approved nor sent, one sentence per cause. Empty: it is not in
   * quarantine.
   */
  readonly quarantine: readonly string[];
  /**
   * The reason why the whole ledger sends nothing, as the bare reason and as a sentence. Null: it
   * may send.
   */
  readonly frozen: { readonly reason: string; readonly says: string } | null;
  /** The payouts whose details are only in archive files. Null: none. */
  readonly archived: { readonly payouts: number; readonly files: readonly string[] } | null;
}

/** A payout that did not settle as expected, or waits for something unusual. */
export interface Exception {
  readonly line: number;
  readonly code: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly currency: string;
  readonly amount: string;
}

/** One problem to correct or to check. */
export interface Finding {
  readonly count: number;
  /** The first lines that have the problem. Empty: it concerns the file. */
  readonly lines: readonly number[];
  readonly example: Pick<Problem, "severity" | "message" | "found" | "expected" | "correction"> & {
    readonly code: string;
  };
}

/** The confirmations of a person who sends a batch for approval. */
export interface Confirmations {
  /** Continue without the invalid rows. */
  readonly leaveOut: boolean;
  /** Numbers that a spreadsheet stored instead of text have been compared with other documents. */
  readonly numbersCompared: boolean;
}

/** The input of a person who approves a batch. */
export interface ApprovalInput {
  readonly totals: readonly string[];
  /**
   * The time at which to send it. Absent: immediately, or at the planned time, which may have
   * passed.
   */
  readonly at?: LocalMoment;
  /** Number of payouts per lane that are sent first. Absent: as given at upload. */
  readonly canary?: number;
  readonly numbersCompared: boolean;
  /** The findings that were checked, such as "paid_lately=3". */
  readonly acknowledge: readonly string[];
}

/**
 * The batches of a ledger, on this machine or on a server. A failed operation throws a CliError
 * with the reason.
 */
export interface Batches {
  /** Returns a warning if no process queries the gateway. Null: one does. */
  standstill(): Promise<string | null>;
  /** Returns the newest batches first. */
  list(): Promise<readonly BatchDocument[]>;
  show(id: string): Promise<ShownBatch>;
  approve(id: string, approving: ApprovalInput): Promise<void>;
  /** Reschedules the batch to a time later than the planned one, never earlier. */
  reschedule(id: string, to: LocalMoment, reason: string | null): Promise<void>;
  sendNow(id: string, reason: string | null): Promise<void>;
  /** Records why a batch may contain exact duplicates of another batch's payouts. */
  allowExactDuplicates(id: string, reason: string): Promise<void>;
  /**
   * Releases a batch that a restored ledger may have paid before, so it can be approved and sent.
   */
  releaseQuarantine(id: string, reason: string): Promise<void>;
  /** Withdraws a batch from approval. It becomes a draft. */
  withdraw(id: string, reason: string): Promise<void>;
  pause(id: string, reason: string | null): Promise<void>;
  /** Resumes a paused batch. Its stopped lanes stay stopped. */
  resume(id: string, reason: string | null): Promise<void>;
  /** Returns the lanes whose other payouts may follow now. */
  release(id: string, reason: string): Promise<readonly string[]>;
  setPriority(id: string, priority: Priority, reason: string | null): Promise<void>;
  /** Returns the number of cancelled payouts. */
  cancel(id: string, reason: string | null): Promise<number>;
  exceptions(id: string, limit: number): Promise<readonly Exception[]>;
  /** Returns the problems of its rows and of its file. */
  findings(id: string): Promise<readonly Finding[]>;
  /**
   * Sends the batch for approval, if confirmed without its invalid rows. False: this was done
   * before.
   */
  requestApproval(id: string, confirmed: Confirmations): Promise<boolean>;
  /** Compares the batch with another one. `against` null: with the most similar earlier batch. */
  compare(id: string, against: string | null): Promise<ComparisonDocument>;
  /**
   * Returns a CSV file of the rejected rows with their problems, to be corrected and uploaded
   * again.
   */
  rejects(id: string): AsyncIterable<string | Uint8Array>;
  /** Returns every row with its result: as CSV, or as one JSON line each. */
  report(id: string, format: "csv" | "jsonl"): AsyncIterable<string | Uint8Array>;
}

/** Returns the seconds from approval to completion. */
export function secondsOf({ approved_at: from, finished_at: until }: BatchDocument): number {
  if (from === null) return 0;
  return ((until === null ? systemClock.nowMs() : Date.parse(until)) - Date.parse(from)) / 1_000;
}

export const BATCHES_LISTED_MAX = 200;

export const BATCH_ID = "batch ID, from: payrun batch list";

/** Runs commands on the batches of the given server, or of this machine's ledger. */
export async function withBatches(
  flags: ServerFlags,
  run: (batches: Batches) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { serverBatches } = await import("#cli/batch/server-batches.ts");
    return run(serverBatches(server));
  }
  const { localBatches } = await import("#cli/batch/local-batches.ts");
  const { localBatchErrors } = await import("#cli/batch/local-errors.ts");
  return withLedger((open) =>
    withLocalApi(
      async (actor) => (await import("#composition/local-batches.ts")).localBatchApi(open, actor),
      localBatchErrors,
      (client) => run(localBatches(open, client)),
    ),
  );
}

/** The options that an uploader gives with a file. */
export interface UploadOptions extends ReadingFlags {
  readonly name?: string;
  readonly purpose?: string;
  /** CUR=AMOUNT: the total of a currency according to the uploader's own system. */
  readonly total?: readonly string[];
  readonly canary?: number;
  readonly priority?: Priority;
}

/** As the API answers them. */
export type ComparisonDocument = AnswerOf<(typeof API)["GET /api/batches/:id/comparison"]>;
export type RetryBatchDocument = AnswerOf<(typeof API)["GET /api/batches/:id/retry-batch"]>;

interface UploadResult {
  readonly id: string;
  readonly isNew: boolean;
  readonly notApplied: readonly string[];
}

/** Batches with file uploads. */
export interface Intake extends Batches {
  /**
   * Uploads a file. The same file returns the same batch; `kept` lists the given options that no
   * longer apply.
   */
  create(path: string, said: UploadOptions): Promise<UploadResult>;
  correct(id: string, path: string): Promise<{ readonly rows: number; readonly corrected: number }>;
  /** Leaves rows out of a batch. Returns their number. */
  leaveOut(id: string, lines: readonly number[]): Promise<number>;
  /** Puts rows back that were left out. Returns their number. */
  putBack(id: string, lines: readonly number[]): Promise<number>;
  /** Returns the declined payouts of a batch that can be paid again. */
  previewRetryBatch(id: string): Promise<RetryBatchDocument>;
  /** Creates a retry batch from them. */
  createRetryBatch(
    id: string,
    reason: string | undefined,
    returned?: readonly { readonly currency: string; readonly amount: string }[],
  ): Promise<{
    readonly batch_id: string;
    readonly left_out: number;
    readonly need_new_details: number;
  }>;
}

/** Runs an upload command against the server that the options name, or else on this machine. */
export async function withIntake(
  flags: ServerFlags,
  run: (intake: Intake) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { serverIntake } = await import("#cli/batch/server-batches.ts");
    return run(serverIntake(server));
  }
  const { localIntake, localRetryErrors } = await import("#cli/batch/local-intake.ts");
  return withPayrun(
    (payrun) =>
      withLocalApi(
        async (actor) =>
          (await import("#composition/local-batches.ts")).localIntakeApi(payrun, actor),
        localRetryErrors,
        (client) => run(localIntake(payrun, client)),
      ),
    { defaults: { LOG_LEVEL: "error" } },
  );
}
