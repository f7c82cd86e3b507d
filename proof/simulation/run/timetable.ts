import { EPOCH_MS } from "#proof/simulation/world/process.ts";

/**
 * The ledger's clock, which decides when a batch is sent, may be ahead of the true time by this
 * much.
 */
export const LEDGER_CLOCK_OFF_MS = 60_000;

/** When each batch may be sent: as approved, and as rescheduled since. */
export class Timetable {
  readonly #approvedFor = new Map<string, number>();
  /** A caller that got an error does not know which of these applies. */
  readonly #rescheduled = new Map<string, readonly number[]>();

  approvedFor(batchId: string, at: Date): void {
    this.#approvedFor.set(batchId, at.getTime());
  }

  /** Records a request before its result is known. Returns the function to report the result. */
  recordReschedule(batchId: string, at: Date): (isDone: boolean) => void {
    const before = this.#possible(batchId);
    this.#rescheduled.set(batchId, [...before, at.getTime()]);
    return (isDone) => this.#rescheduled.set(batchId, isDone ? [at.getTime()] : before);
  }

  /** The ledger was restored, and may have forgotten a rescheduling. */
  restored(): void {
    this.#rescheduled.clear();
  }

  /** By how much a payout of the batch is too early. Null: it is not. */
  earlyMs(batchId: string, nowMs: number): number | null {
    const earlyMs = Math.min(...this.#possible(batchId)) - EPOCH_MS - nowMs;
    return earlyMs > LEDGER_CLOCK_OFF_MS ? earlyMs : null;
  }

  #possible(batchId: string): readonly number[] {
    return this.#rescheduled.get(batchId) ?? [this.#approvedFor.get(batchId) ?? 0];
  }
}
