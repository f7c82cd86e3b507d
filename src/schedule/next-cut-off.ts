import type { BankDays } from "#schedule/cut-offs.ts";
import { type LocalMoment, localAt, momentOf } from "#schedule/local-time.ts";
import { workingDayFrom } from "#schedule/working-days.ts";

/** The next cut-off of a currency or lane. */
export interface NextCutOff extends LocalMoment {
  /** As configured: "INR" or "M1/INR". */
  readonly of: string;
  readonly currency: string;
}

/** Returns the next cut-off of each configured currency and lane, earliest first. */
export const nextCutOffs = ({ cutOffs, holidays }: BankDays, now: Date): readonly NextCutOff[] =>
  [...cutOffs]
    .map(([of, { time, zone }]) => {
      const currency = of.split("/").at(-1) ?? of;
      const { date, time: clock } = localAt(now, zone);
      const from = clock > time ? date.add({ days: 1 }) : date;
      const day = workingDayFrom(from, 1, currency, holidays);
      return { of, currency, ...momentOf(day, time, zone) };
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
