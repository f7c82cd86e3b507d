import type { z } from "zod";
import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/operation.ts";
import type { SendView } from "#api/send-times.ts";
import type { CanaryShown } from "#api/brakes.ts";
import type { Priority } from "#batch/priority.ts";
import type { BatchState } from "#batch/lifecycle.ts";
import type { Problem } from "#batch/problems.ts";
import { withLedger, withPayrun } from "#cli/open.ts";
import { type ServerFlags, serverOf } from "#cli/where.ts";
import { systemClock } from "#clock.ts";
import type { Progress } from "#ledger/ledger.ts";
import type { Brake } from "#payout/brakes.ts";
import type { PayoutState } from "#payout/lifecycle.ts";
import type { LocalMoment } from "#schedule/local-time.ts";

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
  /** Null: a person has paused it. */
  readonly brake: Brake | null;
}

export type ShownSending = z.output<typeof SendView>;

export interface ShownBatch {
  readonly document: BatchDocument;
  readonly reason: string | null;
  readonly priority: Priority;
  readonly progress: readonly Progress[];
  readonly stopped: readonly Stop[];
  /** When it goes out, or went; null: when it is approved. */
  readonly send: ShownSending | null;
  readonly canary: z.output<typeof CanaryShown>;
  /** Why it is neither approved nor sent, one sentence each; empty: it is not in quarantine. */
  readonly quarantine: readonly string[];
  /** Why the whole ledger sends nothing, alone and in a sentence; null: it may send. */
  readonly frozen: { readonly reason: string; readonly says: string } | null;
}

/** A payout that did not go its way, or waits for something out of the ordinary. */
export interface Exception {
  readonly line: number;
  readonly code: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly currency: string;
  readonly amount: string;
}

/** One thing to repair or to look at. */
export interface Finding {
  readonly count: number;
  /** The first lines that it is about; none: the file. */
  readonly lines: readonly number[];
  readonly example: Pick<Problem, "severity" | "message" | "found" | "expected" | "repair"> & {
    readonly code: string;
  };
}

/** What somebody says who hands a batch in. */
export interface Confirmed {
  /** Go on without the rows that are wrong. */
  readonly leaveOut: boolean;
  /** What a spreadsheet held as a number has been compared with other papers. */
  readonly numbersCompared: boolean;
}

/** What somebody says who approves a batch. */
export interface Approving {
  readonly totals: readonly string[];
  /** When it goes out; left out: at once, or when it was to. The time that stands may be over. */
  readonly at?: LocalMoment;
  /** How many payouts of each lane go first; left out: as it was brought. */
  readonly canary?: number;
  readonly numbersCompared: boolean;
}

/** The batches of a ledger, here or at a server. What cannot be done is a CliError that says why. */
export interface Batches {
  /** What there is to say where nobody asks the gateway; null: somebody does. */
  standstill(): Promise<string | null>;
  /** The newest first. */
  list(): Promise<readonly BatchDocument[]>;
  show(id: string): Promise<ShownBatch>;
  approve(id: string, approving: Approving): Promise<void>;
  /** Later than the time now planned, never sooner. */
  putOff(id: string, to: LocalMoment, reason: string | null): Promise<void>;
  sendNow(id: string, reason: string | null): Promise<void>;
  /** Says why a batch may pay again what another one pays. */
  allowRepeats(id: string, reason: string): Promise<void>;
  /** Lets a batch be approved and sent that a restored ledger may have paid before. */
  releaseQuarantine(id: string, reason: string): Promise<void>;
  pause(id: string, reason: string | null): Promise<void>;
  /** The lanes that were opened with it. */
  resume(id: string, reason: string | null): Promise<readonly string[]>;
  /** The lanes whose rest may follow now. */
  release(id: string, reason: string): Promise<readonly string[]>;
  setPriority(id: string, priority: Priority, reason: string | null): Promise<void>;
  /** How many payouts were cancelled. */
  cancel(id: string, reason: string | null): Promise<number>;
  exceptions(id: string, limit: number): Promise<readonly Exception[]>;
  /** What was found in its rows and in its file. */
  findings(id: string): Promise<readonly Finding[]>;
  /** Hands it in for approval, also without the rows that are wrong. False: that was done before. */
  submit(id: string, confirmed: Confirmed): Promise<boolean>;
  /** What differs from another batch; null: from the earlier one that is most like it. */
  diff(id: string, against: string | null): Promise<DiffDocument>;
  /** CSV: the rejected rows with what is wrong, to be repaired and sent back. */
  rejects(id: string): AsyncIterable<string | Uint8Array>;
  /** Every row and what became of it: CSV, or a line of JSON for each. */
  report(id: string, format: "csv" | "jsonl"): AsyncIterable<string | Uint8Array>;
}

/** Since it was approved, until it ended. */
export function secondsOf({ approved_at: from, finished_at: until }: BatchDocument): number {
  if (from === null) return 0;
  return ((until === null ? systemClock.nowMs() : Date.parse(until)) - Date.parse(from)) / 1_000;
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

/** What somebody says of a file that they bring. */
export interface Said {
  readonly name?: string;
  readonly purpose?: string;
  /** CUR=AMOUNT: what the payouts of a currency come to by their own system. */
  readonly total?: readonly string[];
  readonly canary?: number;
  readonly priority?: Priority;
}

/** As the API answers them. */
export type DiffDocument = AnswerOf<(typeof API)["GET /api/batches/:id/diff"]>;
export type RemainderDocument = AnswerOf<(typeof API)["GET /api/batches/:id/remainder"]>;

interface Brought {
  readonly id: string;
  readonly isNew: boolean;
  readonly kept: readonly string[];
}

/** Batches that files may be brought to. */
export interface Intake extends Batches {
  /** The same file again is the same batch; `kept`: what was said of it and does not count any more. */
  create(path: string, said: Said): Promise<Brought>;
  correct(id: string, path: string): Promise<{ readonly rows: number; readonly repaired: number }>;
  /** What of a batch was declined and can be paid again. */
  remainder(id: string): Promise<RemainderDocument>;
  /** Makes a batch of it. */
  payAgain(id: string): Promise<{ readonly batch_id: string; readonly left_out: number }>;
}

export async function withIntake(
  flags: ServerFlags,
  run: (intake: Intake) => Promise<void>,
): Promise<void> {
  const server = await serverOf(flags);
  if (server) {
    const { intakeThere } = await import("#cli/batches-there.ts");
    return run(intakeThere(server));
  }
  const { intakeHere } = await import("#cli/intake-here.ts");
  return withPayrun((payrun) => run(intakeHere(payrun)), { defaults: { LOG_LEVEL: "error" } });
}
