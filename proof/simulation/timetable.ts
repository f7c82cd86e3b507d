import { EPOCH_MS } from "./life.ts";

/** The clock of the ledger, which decides when a batch goes out, may be ahead of the true time by this. */
export const LEDGER_CLOCK_OFF_MS = 60_000;

/** When each batch may go out: as it was approved, and as it was put off since. */
export class Timetable {
  readonly #approvedFor = new Map<string, number>();
  readonly #putOff = new Map<string, number>();

  approvedFor(batchId: string, at: Date): void {
    this.#approvedFor.set(batchId, at.getTime());
  }

  putOff(batchId: string, at: Date): void {
    this.#putOff.set(batchId, at.getTime());
  }

  /** The ledger was put back, and may have forgotten that something was put off. */
  restored(): void {
    this.#putOff.clear();
  }

  /** By how much a payout of the batch is too early; null: it is not. */
  earlyMs(batchId: string, nowMs: number): number | null {
    const atMs = this.#putOff.get(batchId) ?? this.#approvedFor.get(batchId) ?? 0;
    const earlyMs = atMs - EPOCH_MS - nowMs;
    return earlyMs > LEDGER_CLOCK_OFF_MS ? earlyMs : null;
  }
}
