import type { ListedLine } from "#proof/simulation/ledger/tables.ts";
import type { Random } from "#proof/simulation/world/random.ts";
import type { LogEntry, TransactionLog } from "#proof/simulation/gateway/transaction-log.ts";

/** Reads an amount with at most two decimals. */
function hundredths(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

/** Share of codes whose lines have a defect. */
const DEFECTS = 0.05;

/**
 * Returns the lines of a statement about everything that the gateway has finished, by code. Some
 * codes are missing or listed twice, or have another amount or number. No line has a false result.
 */
export function statementOf(
  log: TransactionLog,
  nowMs: number,
  { random, isExact }: { readonly random: Random; readonly isExact: boolean },
): ReadonlyMap<string, readonly ListedLine[]> {
  const listed = new Map<string, readonly ListedLine[]>();
  for (const entry of log.entries.values()) {
    if (entry.isBurned || entry.finishesMs > nowMs) continue;
    const lines = linesOf(entry, nowMs);
    const isWrong = !isExact && random.isTrue(DEFECTS);
    const shown = isWrong ? random.pick(DEFECT_KINDS)(lines) : lines;
    if (shown.length > 0) listed.set(entry.code, shown);
  }
  return listed;
}

function linesOf(entry: LogEntry, nowMs: number): readonly ListedLine[] {
  const { number: gatewayNumber, currency, amount, fate, finishesMs, isReversed } = entry;
  const line = { gatewayNumber, currency, amount: hundredths(amount) };
  const first = { ...line, status: fate, atMs: finishesMs };
  return isReversed ? [first, { ...line, status: "returned", atMs: nowMs }] : [first];
}

type Defect = (lines: readonly ListedLine[]) => readonly ListedLine[];

const DEFECT_KINDS: readonly Defect[] = [
  () => [],
  (lines) => [...lines, ...lines],
  (lines) => lines.map((line) => ({ ...line, amount: line.amount + 1n })),
  (lines) => lines.map((line) => ({ ...line, gatewayNumber: `${line.gatewayNumber}X` })),
];
