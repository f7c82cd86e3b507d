import type { ArchiveTotal } from "#integrity/archive/manifest.ts";

/** The columns of a payout that totals need. Amounts are exact decimal texts. */
export interface CountedPayout {
  readonly currency: string;
  readonly state: string;
  readonly amount_minor: string;
  readonly minor_digits: number;
}

/** Adds up payouts by currency and state. */
export class ArchiveTotals {
  readonly #sums = new Map<string, { payouts: number; minor: bigint; digits: number }>();

  add({ currency, state, amount_minor, minor_digits }: CountedPayout): void {
    const key = `${currency} ${state}`;
    const sum = this.#sums.get(key) ?? { payouts: 0, minor: 0n, digits: minor_digits };
    const digits = Math.max(sum.digits, minor_digits);
    const minor =
      sum.minor * 10n ** BigInt(digits - sum.digits) +
      BigInt(amount_minor) * 10n ** BigInt(digits - minor_digits);
    this.#sums.set(key, { payouts: sum.payouts + 1, minor, digits });
  }

  /** Returns the totals, sorted by currency and state. */
  list(): ArchiveTotal[] {
    return [...this.#sums]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, { payouts, minor, digits }]) => {
        const [currency = "", state = ""] = key.split(" ");
        return { currency, state, payouts, amount: decimal(minor, digits) };
      });
  }
}

function decimal(minor: bigint, digits: number): string {
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, "0");
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
