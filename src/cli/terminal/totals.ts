import { createInterface } from "node:readline/promises";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { type Money, parseDecimal } from "#money/money.ts";

/** Collects an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

/**
 * Parses "INR=1234.50" and compares it with the totals of the batch. The value decides, so "1234.5"
 * is the same amount.
 */
export function readTotals(
  given: readonly string[],
  expected: ReadonlyMap<string, Money>,
): Map<string, Money> {
  const totals = new Map<string, Money>();
  for (const text of given) {
    const [, currency = "", amount = ""] = /^([A-Z0-9-]+)=(.+)$/.exec(normalizedTotal(text)) ?? [];
    const total = parseDecimal(amount, expected.get(currency)?.minorDigits ?? 0);
    if (!total) {
      throw new CliError(EXIT.usage, `--total ${text}: expected CUR=AMOUNT, such as INR=1234.50`);
    }
    if (totals.has(currency)) {
      throw new CliError(EXIT.usage, `--total specifies ${currency} twice`);
    }
    totals.set(currency, { currency, ...total });
  }
  return totals;
}

const GROUPED = /=(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?:\.\d+)?$/;

/**
 * Normalises "inr=12,345.00" to "INR=12345.00", as for every total that is given. payrun prints
 * amounts with such groups.
 */
export function normalizedTotal(total: string): string {
  const text = total.trim().replace(/^[^=]*/, (code) => code.toUpperCase());
  return GROUPED.test(text) ? text.replaceAll(",", "") : text;
}

/**
 * Validates the form of totals before anything is stored. The currencies of the file are not known
 * yet.
 */
export function assertTotals(given: readonly string[] = []): void {
  readTotals(given, new Map());
}

/**
 * Asks for each total on the terminal. The expected totals are not shown, because the numbers must
 * come from the approver's own system.
 */
export async function askTotals(expected: ReadonlyMap<string, Money>): Promise<Map<string, Money>> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const given: string[] = [];
    for (const currency of expected.keys()) {
      const answer = await terminal.question(`Total of the ${currency} payouts: `);
      given.push(`${currency}=${answer.trim()}`);
    }
    return readTotals(given, expected);
  } finally {
    terminal.close();
  }
}

/** The message does not contain the totals, because they must come from the source of the file. */
export const missingTotals = (batchId: string, currencies: readonly string[]): CliError =>
  new CliError(
    EXIT.usage,
    `Entering totals requires a terminal. Batch ${batchId} is stored but not approved, and no payouts were sent. Run the same command again with the totals from the source of the file: ${currencies.map((currency) => `--total ${currency}=AMOUNT`).join(" ")}`,
  );
