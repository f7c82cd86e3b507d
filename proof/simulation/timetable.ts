import { EPOCH_MS } from "./life.ts";

/** The clock of the ledger, which decides when a batch goes out, may be ahead of the true time by this. */
export const LEDGER_CLOCK_OFF_MS = 60_000;

/** When each batch may go out: as it was approved, and as it was put off since. */
export class Timetable {
  readonly #approvedFor = new Map<string, number>();
  /** Whoever asked and was told of a failure does not know which of these counts. */
  readonly #putOff = new Map<string, readonly number[]>();

  approvedFor(batchId: string, at: Date): void {
    this.#approvedFor.set(batchId, at.getTime());
  }

  /** Asked for, before it is known what comes of it. Returns what to say when it is. */
  asksToPutOff(batchId: string, at: Date): (isDone: boolean) => void {
    const before = this.#possible(batchId);
    this.#putOff.set(batchId, [...before, at.getTime()]);
    return (isDone) => this.#putOff.set(batchId, isDone ? [at.getTime()] : before);
  }

  /** The ledger was put back, and may have forgotten that something was put off. */
  restored(): void {
    this.#putOff.clear();
  }

  /** By how much a payout of the batch is too early; null: it is not. */
  earlyMs(batchId: string, nowMs: number): number | null {
    const earlyMs = Math.min(...this.#possible(batchId)) - EPOCH_MS - nowMs;
    return earlyMs > LEDGER_CLOCK_OFF_MS ? earlyMs : null;
  }

  #possible(batchId: string): readonly number[] {
    return this.#putOff.get(batchId) ?? [this.#approvedFor.get(batchId) ?? 0];
  }
}
