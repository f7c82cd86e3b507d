import { laneParts } from "#payout/payout.ts";
import { err, ok, type Result } from "#result.ts";
import { isZone } from "#schedule/calendar.ts";
import { localAt } from "#schedule/local-time.ts";
import { type Holidays, isWorkingDay } from "#schedule/working-days.ts";

/** Until when the banks of a lane take payments of the day, by lane ("M1/INR") or by currency. */
export type CutOffs = ReadonlyMap<string, { readonly time: string; readonly zone: string }>;

/** What the operator has said of the days of banks. */
export interface BankDays {
  readonly holidays: Holidays;
  readonly cutOffs: CutOffs;
}

/**
 * Reads "INR=16:00 Asia/Kolkata,M1/JPY=14:30 Asia/Tokyo". An Err names the entry that is none, that no lane could ever
 * match, or that is there already.
 */
export function readCutOffs(
  text: string,
  units: ReadonlyMap<string, unknown>,
): Result<CutOffs, string> {
  const found = new Map<string, { time: string; zone: string }>();
  for (const entry of text.split(",").map((part) => part.trim())) {
    const [, merchant = "", currency = "", time = "", zone = ""] =
      /^([^\s/=]+\/)?([A-Z0-9-]+)=((?:[01]\d|2[0-3]):[0-5]\d) (\S+)$/.exec(entry) ?? [];
    const name = merchant + currency;
    if (!isZone(zone) || !units.has(currency) || found.has(name)) return err(entry);
    found.set(name, { time, zone });
  }
  return ok(found);
}

/** When it goes out: at its time, or at once where that is over or there is none. */
export const goesOutAt = (planned: Date | undefined, now: Date): Date =>
  planned && planned.getTime() > now.getTime() ? planned : now;

/** Why what goes out at this moment may arrive a working day later, a sentence for each lane; none: it is in time. */
export function missedCutOffs(
  lanes: readonly string[],
  at: Date,
  { holidays, cutOffs }: BankDays,
): string[] {
  return lanes.flatMap((lane) => {
    const { currency } = laneParts(lane);
    const cutOff = cutOffs.get(lane) ?? cutOffs.get(currency);
    if (!cutOff) return [];
    const { date, time } = localAt(at, cutOff.zone);
    const there = `${date.toString()} ${time} ${cutOff.zone}`;
    if (!isWorkingDay(date, currency, holidays)) {
      return [`${lane}: ${there} is no working day of its banks.`];
    }
    return time > cutOff.time ? [`${lane}: ${there} misses the cut-off of ${cutOff.time}.`] : [];
  });
}
