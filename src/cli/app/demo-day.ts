import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parseDecimal } from "#money/money.ts";
import { laneParts } from "#payout/payout.ts";
import { DEMO_FEE_PERCENT } from "#cli/app/demo-simulator.ts";
import type { LogLine } from "#simulator/state/transaction-log.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRows } from "#simulator/statements/statement-day.ts";
import type { StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { DemoPerson } from "#cli/app/demo-people.ts";
import type { Payrun } from "#app/wiring.ts";

const CURRENCY = "INR";
const DIGITS = 2;
/** The balance with which the statements of the simulated gateway start, in minor units. */
const OPENING = 100_000_000_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const WEST_MAX = 11;
/** A place for each offset in hours from UTC-11 to UTC+12, without daylight saving time. */
const ZONES = [
  "Pacific/Pago_Pago",
  "Pacific/Honolulu",
  "Pacific/Gambier",
  "Pacific/Pitcairn",
  "America/Phoenix",
  "America/Costa_Rica",
  "America/Bogota",
  "America/Manaus",
  "America/Sao_Paulo",
  "America/Noronha",
  "Atlantic/Cape_Verde",
  "UTC",
  "Africa/Lagos",
  "Africa/Johannesburg",
  "Africa/Nairobi",
  "Asia/Dubai",
  "Asia/Karachi",
  "Asia/Dhaka",
  "Asia/Bangkok",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Brisbane",
  "Pacific/Guadalcanal",
  "Pacific/Tarawa",
] as const;

/** The business day that has just ended, in a time zone of the gateway's back office. */
export interface EndedDay {
  /** "2026-11-26" */
  readonly day: string;
  /** "Asia/Bangkok" */
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly startsMs: number;
}

/**
 * Returns the day that ended less than an hour ago, in the zone whose midnight that was. Payouts
 * that settle now can still count on it, because a statement without times may list them.
 */
export function endedDay(nowMs: number): EndedDay {
  const hour = new Date(nowMs).getUTCHours();
  const offset = hour < 12 ? -hour : 24 - hour;
  const day = new Date(nowMs + (offset - 24) * HOUR_MS).toISOString().slice(0, 10);
  const zone = ZONES[offset + WEST_MAX] ?? "UTC";
  return { day, zone, startsMs: Date.parse(`${day}T00:00:00Z`) - offset * HOUR_MS };
}

/** Where the demo finds its files, and who uploads the statement. */
interface DayOptions {
  /** The transaction log of the simulated gateway. */
  readonly log: string;
  readonly folder: string;
  readonly person: Pick<DemoPerson, "userId">;
  readonly ended: EndedDay;
  /** Writes the file for this user alone. */
  readonly write: (file: string, text: string) => void;
}

/**
 * Prepares a business day that can be closed: enters its opening balance, and uploads a statement
 * with a line that the ledger does not have. False: an earlier start has prepared a day.
 */
export async function prepareDemoDay(
  { log, folder, person, ended, write }: DayOptions,
  { ledger, deps: { clock } }: Payrun,
): Promise<boolean> {
  const { openDays } = await import("#flows/reconciliation/open-days.ts");
  const { loadStatement } = await import("#flows/reconciliation/load-statement.ts");
  const { compareDay } = await import("#flows/reconciliation/compare-day.ts");
  const lanes = await ledger.payout.findAllLanes();
  const lane = lanes.find(({ currency }) => currency === CURRENCY)?.lane;
  if (lane === undefined) return false;
  const { day, zone } = ended;
  const actor = `user:${person.userId}`;
  const entered = { amount: { minor: OPENING, minorDigits: DIGITS }, reason: "start of the demo" };
  const steps = { ledger, clock };
  const opened = await openDays({ lane, day, entered, zone, actor }, steps);
  if (!opened.ok) return false;
  const { csv, total } = demoStatement(loggedRows(log, lane, ended));
  const fileName = `statement-${CURRENCY}-${day}.csv`;
  write(join(folder, fileName), csv);
  const upload: StatementUpload = {
    lane,
    account: { currency: CURRENCY, minorDigits: DIGITS },
    day,
    fileName,
    actor,
    open: () => Readable.from([Buffer.from(csv)]),
    changes: { zone },
    isConfirmed: true,
    isReview: false,
    outsideDay: 0,
    control: { lines: null, total: null },
    balances: { opening: OPENING, closing: OPENING - total, deposits: 0n },
  };
  const loaded = await loadStatement(upload, steps);
  if (!loaded.ok) throw new Error(`the demo statement was not read: ${loaded.error.kind}`);
  await compareDay(loaded.value.statement, actor, steps);
  return true;
}

/** The completed rows of a statement, as the gateway's transaction log shows them. */
type Row = Pick<StatementRow, "number" | "code" | "currency" | "amount" | "fee">;

/** Reads the rows of the lane on the day after the given one from the gateway's transaction log. */
function loggedRows(log: string, lane: string, { startsMs }: EndedDay): readonly Row[] {
  const lines = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as LogLine);
  const { merchantCode: merchant, currency } = laneParts(lane);
  const fromMs = startsMs + DAY_MS;
  const day = { merchant, currency, fromMs, toMs: fromMs + DAY_MS, feePercent: DEMO_FEE_PERCENT };
  return statementRows(lines, day).filter(({ status }) => status === "Completed");
}

/** A payout that somebody tried in the gateway's back office. No money moved. */
const MANUAL = {
  number: "WD1000000000001",
  code: "MANUAL-0001",
  currency: CURRENCY,
  amount: "1500.00",
  fee: "0.00",
  status: "Failed",
};

/**
 * Writes a statement without times, so that its lines count on the day before, with one line that
 * the ledger does not have. Also returns the total of amounts and fees in minor units.
 */
export function demoStatement(rows: readonly Row[]): {
  readonly csv: string;
  readonly total: bigint;
} {
  const minor = (text: string): bigint => parseDecimal(text, DIGITS)?.minor ?? 0n;
  const total = rows.reduce((sum, { amount, fee }) => sum + minor(amount) + minor(fee), 0n);
  const lines = [...rows.map((row) => ({ ...row, status: "Completed" })), MANUAL].map(
    ({ number, code, currency, amount, fee, status }) =>
      [number, code, currency, amount, fee, status].join(","),
  );
  const header = "Transaction No,Transaction Code,Currency,Amount,Fee,Status";
  return { csv: `${[header, ...lines].join("\n")}\n`, total };
}
