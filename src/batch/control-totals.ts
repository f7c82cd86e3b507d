import { formatMoney } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import { parseMoney } from "#money/parse.ts";

/** How a sum is written: INR=1234.50. */
export const SUM = /^[A-Z0-9-]{1,40}=\d{1,15}(\.\d{1,18})?$/;

/** What the uploader's own system says of a file. */
export interface ControlTotals {
  /** Null: not said. */
  readonly rows: number | null;
  /** Currency to decimal text; a currency that is not there was not said. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Reads sums that SUM has let through; of a currency that is named twice the last one counts. */
export const readSums = (texts: readonly string[]): ControlTotals["sums"] =>
  Object.fromEntries(texts.map((text) => text.split("=") as [string, string]));

/**
 * What does not agree with what was typed, in words. Neither a lost tail of a file nor a slipped decimal gets past an
 * honest figure from elsewhere.
 */
export function differencesFrom(
  { rows, sums }: ControlTotals,
  batch: { readonly rows: number; readonly totals: readonly Money[] },
): string[] {
  const found: string[] = [];
  if (rows !== null && rows !== batch.rows) {
    found.push(`You expect ${rows} rows; the file has ${batch.rows}.`);
  }
  for (const [currency, text] of Object.entries(sums)) {
    const total = batch.totals.find((each) => each.currency === currency);
    if (!total)
      found.push(`You expect ${currency} ${text}; no row that can be paid is in ${currency}.`);
    else if (!isSame(text, total)) {
      found.push(
        `You expect ${currency} ${text}; the rows that can be paid come to ${currency} ${formatMoney(total)}.`,
      );
    }
  }
  return found;
}

function isSame(text: string, { currency, minor, minorDigits }: Money): boolean {
  const given = parseMoney(text, { currency, minorDigits, gatewayDigits: minorDigits });
  return given.ok && given.value.minor === minor;
}
