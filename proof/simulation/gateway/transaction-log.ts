/** The gateway's actions, with which payrun's reports are compared. */

export type ActualState = "pending" | "completed" | "failed";

export interface LogEntry {
  readonly code: string;
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly number: string;
  /** How often money was moved for the code. */
  times: number;
  readonly takenMs: number;
  finishesMs: number;
  readonly fate: "completed" | "failed";
  /** Status queries do not show it before this time. */
  readonly shownMs: number;
  /** After this time the code is accepted again as a new one. Status queries still show it. */
  remembersUntilMs: number;
  /** Refused, but the code is used up: never shown, never paid. */
  readonly isBurned: boolean;
  /** Another client used it before us. */
  readonly isForeign: boolean;
  /** The money was returned. */
  isReversed: boolean;
}

/** The gateway's explicit statements about a code. */
interface Statements {
  /** It accepted the code, called it known, or showed its record. */
  known: boolean;
  refused: boolean;
  completed: boolean;
  failed: boolean;
  /** Number of answers that clearly said `failed` or `reversed`. */
  failedTimes: number;
}

/**
 * Everything that the gateway has accepted, with its final states and its statements about each
 * code.
 */
export class TransactionLog {
  readonly entries = new Map<string, LogEntry>();
  readonly #statements = new Map<string, Statements>();
  /**
   * Codes for which the gateway broke the condition of the guarantee or contradicted itself, and
   * how.
   */
  readonly broken = new Map<string, string>();
  /**
   * When it first called a code that it has unknown, since the last restore of a database, and for
   * how long.
   */
  readonly #denials = new Map<string, { readonly sinceMs: number; forMs: number }>();

  statementsAbout(code: string): Statements {
    let told = this.#statements.get(code);
    if (!told) {
      told = { known: false, refused: false, completed: false, failed: false, failedTimes: 0 };
      this.#statements.set(code, told);
    }
    return told;
  }

  /** Whether the gateway's statements prove that a payout is in this state. */
  proves(code: string, state: "settled" | "declined" | "returned"): boolean {
    const { completed, refused, failed, failedTimes } = this.statementsAbout(code);
    if (state === "declined") return refused || failed;
    return completed && (state === "settled" || failedTimes > 1);
  }

  /**
   * The record that a status query shows after the code is no longer refused. None if the gateway
   * broke its promise about the code, for example by forgetting it early.
   */
  shownForGood(code: string): LogEntry | undefined {
    return this.broken.has(code) ? undefined : this.entries.get(code);
  }

  recordDenial(code: string, nowMs: number): void {
    const { sinceMs } = this.#denials.get(code) ?? { sinceMs: nowMs };
    this.#denials.set(code, { sinceMs, forMs: nowMs - sinceMs });
  }

  deniedForMs(code: string): number {
    return this.#denials.get(code)?.forMs ?? 0;
  }

  restored(): void {
    this.#denials.clear();
  }

  actualStateOf(entry: LogEntry, nowMs: number): ActualState {
    if (nowMs < entry.finishesMs) return "pending";
    return entry.isReversed ? "failed" : entry.fate;
  }

  /** Whether money was moved for the code, or still may be. Null: it was never accepted. */
  moneyMovedFor(code: string, nowMs: number): ActualState | null {
    const entry = this.entries.get(code);
    return entry && !entry.isBurned ? this.actualStateOf(entry, nowMs) : null;
  }
}
