/** The gateway's actions, with which payrun's reports are compared. */

export type Truth = "pending" | "completed" | "failed";

export interface Entry {
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
  /** After this time the code is accepted again as a new one. */
  remembersUntilMs: number;
  /** Refused, but the code is used up: never shown, never paid. */
  readonly isBurned: boolean;
  /** Another client used it before us. */
  readonly isForeign: boolean;
  /** The money was returned. */
  isReversed: boolean;
}

/** The gateway's explicit statements about a code. */
interface Told {
  /** It accepted the code, called it known, or showed its record. */
  known: boolean;
  refused: boolean;
  completed: boolean;
  failed: boolean;
}

/**
 * Everything that the gateway has accepted, with its final states and its statements about each
 * code.
 */
export class Book {
  readonly entries = new Map<string, Entry>();
  readonly #told = new Map<string, Told>();
  /**
   * Codes for which the gateway broke the condition of the promise or contradicted itself, and
   * how.
   */
  readonly broken = new Map<string, string>();
  /**
   * When it first called a code that it has unknown, since the last restore of a database, and for
   * how long.
   */
  readonly #denials = new Map<string, { readonly sinceMs: number; forMs: number }>();

  told(code: string): Told {
    let told = this.#told.get(code);
    if (!told) {
      told = { known: false, refused: false, completed: false, failed: false };
      this.#told.set(code, told);
    }
    return told;
  }

  denies(code: string, nowMs: number): void {
    const { sinceMs } = this.#denials.get(code) ?? { sinceMs: nowMs };
    this.#denials.set(code, { sinceMs, forMs: nowMs - sinceMs });
  }

  deniedForMs(code: string): number {
    return this.#denials.get(code)?.forMs ?? 0;
  }

  restored(): void {
    this.#denials.clear();
  }

  truthOf(entry: Entry, nowMs: number): Truth {
    if (nowMs < entry.finishesMs) return "pending";
    return entry.isReversed ? "failed" : entry.fate;
  }

  /** Whether money was moved for the code, or still may be. Null: it was never accepted. */
  moneyOf(code: string, nowMs: number): Truth | null {
    const entry = this.entries.get(code);
    return entry && !entry.isBurned ? this.truthOf(entry, nowMs) : null;
  }
}
