/** What the gateway did: the truth that payrun's words are held against. */

export type Truth = "pending" | "completed" | "failed";

export interface Entry {
  readonly code: string;
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly number: string;
  /** How often money was set in motion for the code. */
  times: number;
  readonly takenMs: number;
  finishesMs: number;
  readonly fate: "completed" | "failed";
  /** The status question does not show it before. */
  readonly shownMs: number;
  /** The code is taken again as a new one after this. */
  remembersUntilMs: number;
  /** Refused, and the code is used up all the same: never shown, never paid. */
  readonly isBurned: boolean;
  /** Came from somebody else, before us. */
  readonly isForeign: boolean;
  /** The money came back. */
  isReversed: boolean;
}

/** What it has said of a code in so many words. */
interface Told {
  /** Accepted it, called it known, or showed a record of it. */
  known: boolean;
  refused: boolean;
  completed: boolean;
  failed: boolean;
}

export class Book {
  readonly entries = new Map<string, Entry>();
  readonly #told = new Map<string, Told>();
  /** Codes for which the gateway broke the condition of the promise or its own word, and how. */
  readonly broken = new Map<string, string>();
  /** When it first called a code unknown that it has, since a database was last put back, and for how long since. */
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

  /** Whether money was set in motion for the code, or still may be; null: it was never taken. */
  moneyOf(code: string, nowMs: number): Truth | null {
    const entry = this.entries.get(code);
    return entry && !entry.isBurned ? this.truthOf(entry, nowMs) : null;
  }
}
