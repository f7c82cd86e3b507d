import { laneParts } from "#payout/payout.ts";
import { err, ok, type Result } from "#base/result.ts";
import { isZone } from "#schedule/calendar.ts";
import { localAt } from "#schedule/local-time.ts";
import { type Holidays, isWorkingDay } from "#schedule/working-days.ts";

/**
 * The times until which the banks of a lane accept payments of the day, by lane ("M1/INR") or by
 * currency.
 */
export type CutOffs = ReadonlyMap<string, { readonly time: string; readonly zone: string }>;

/** The operator's settings about bank days. */
export interface BankDays {
  readonly holidays: Holidays;
  readonly cutOffs: CutOffs;
}

/**
 * Reads "INR=16:00 Asia/Kolkata,M1/JPY=14:30 Asia/Tokyo". Returns an Err with the entry that is not
 * in this form, cannot match any lane, or is a duplicate.
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

/**
 * Returns when a batch is sent: at its planned time, or now if that has passed or there is none.
 */
export const sendMoment = (planned: Date | undefined, now: Date): Date =>
  planned && planned.getTime() > now.getTime() ? planned : now;

/**
 * States why payouts sent at this moment may arrive a working day later, one sentence for each
 * lane. Empty: they are in time.
 *
 * @param laneNameOf returns the display name of a lane.
 */
export function findMissedCutOffs(
  lanes: readonly string[],
  at: Date,
  { holidays, cutOffs }: BankDays,
  laneNameOf: (lane: string) => string,
): string[] {
  return lanes.flatMap((lane) => {
    const { currency } = laneParts(lane);
    const cutOff = cutOffs.get(lane) ?? cutOffs.get(currency);
    if (!cutOff) return [];
    const { date, time } = localAt(at, cutOff.zone);
    const there = `${date.toString()} ${time} ${cutOff.zone}`;
    if (!isWorkingDay(date, currency, holidays)) {
      return [`${laneNameOf(lane)}: ${there} is not a working day for its banks.`];
    }
    return time > cutOff.time
      ? [`${laneNameOf(lane)}: ${there} is after the ${cutOff.time} cut-off.`]
      : [];
  });
}
