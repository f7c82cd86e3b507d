import { groupDigits, groupedAmount } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import { parseMoney } from "#money/parse.ts";

/** Format of a control total, such as INR=1234.50. */
export const SUM = /^[A-Z0-9-]{1,40}=\d{1,15}(\.\d{1,18})?$/;

/** Control totals of a file, taken from the uploader's own system. */
export interface ControlTotals {
  /** Number of rows. Null: not given. */
  readonly rows: number | null;
  /** Currency to decimal text. A currency that is missing was not given. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Parses control totals that match SUM. If a currency is given twice, the last one counts. */
export const parseControlTotals = (texts: readonly string[]): ControlTotals["sums"] =>
  Object.fromEntries(texts.map((text) => text.split("=") as [string, string]));

/**
 * Describes the differences between the file and the totals that were typed. An independent figure
 * reveals both a truncated file and a shifted decimal point.
 */
export function differencesFrom(
  { rows, sums }: ControlTotals,
  batch: { readonly rows: number; readonly totals: readonly Money[] },
): string[] {
  const found: string[] = [];
  if (rows !== null && rows !== batch.rows) {
    found.push(`You expected ${rows} rows, but the batch has ${batch.rows}.`);
  }
  for (const [currency, text] of Object.entries(sums)) {
    const total = batch.totals.find((each) => each.currency === currency);
    if (!total)
      found.push(
        `You expected ${currency} ${groupDigits(text, currency)}, but the file has no payable rows in ${currency}.`,
      );
    else if (!isSame(text, total)) {
      found.push(
        `You expected ${currency} ${groupDigits(text, currency)}, but the payable rows total ${currency} ${groupedAmount(total)}.`,
      );
    }
  }
  return found;
}

function isSame(text: string, { currency, minor, minorDigits }: Money): boolean {
  const given = parseMoney(text, { currency, minorDigits, gatewayDigits: minorDigits });
  return given.ok && given.value.minor === minor;
}
