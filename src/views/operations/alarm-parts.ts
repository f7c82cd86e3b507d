import type { OPERATIONS_API } from "#api/operations/operations.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { Database } from "#ledger/store/database.ts";
import { findUnsentInProgress, type ReasonGroup } from "#ledger/operations/overview.ts";
import { progressOf } from "#ledger/payout/progress.ts";
import { amountOf } from "#money/format.ts";
import { type Money, sumByCurrency } from "#money/money.ts";
import { type Alarm, type AlarmCode, ALARMS } from "#operations/alarms.ts";
import type { Observations } from "#operations/observations.ts";
import { isTakenTwice } from "#payout/second-payment.ts";

type Part = AnswerOf<(typeof OPERATIONS_API)["GET /api/operations"]>["alarms"][number]["parts"][0];

/** The observations that decide about alarms, and the payouts that need attention. */
interface Sight {
  readonly observed: Observations;
  readonly inDoubt: readonly ReasonGroup[];
  readonly held: readonly ReasonGroup[];
  readonly database: Database;
}

interface Counted {
  readonly count: number;
  readonly sum: Money;
}

/** More lanes or batches of one alarm are only in its sentence. */
const PARTS_MAX = 5;

type PartsOf = (alarm: Alarm, sight: Sight) => Promise<Part[]>;

/** Returns all unsent payouts, for alarms that stop every lane. */
const allUnsent: PartsOf = async ({ says }, { database }) => [
  part(says, await findUnsentInProgress(database), { state: "approved" }),
];

/** The alarms that are about particular payouts. */
const PARTS: Readonly<Partial<Record<AlarmCode, PartsOf>>> = {
  ledger_frozen: allUnsent,
  no_workers: allUnsent,
  no_sweep: allUnsent,
  queue_unavailable: allUnsent,
  lane_needs_person: async (alarm, { observed, database }) => {
    const unsent = await findUnsentInProgress(database);
    const stops = observed.stopped.filter(({ needs }) => needs === "person");
    return stops.slice(0, PARTS_MAX).map((stop) =>
      part(
        sentence(alarm, { ...observed, stopped: [stop] }),
        unsent.filter(({ lane }) => lane === stop.lane),
        { state: "approved", lane: stop.lane },
      ),
    );
  },
  batch_needs_person: async (alarm, { observed, database }) => {
    const unsent = await findUnsentInProgress(database);
    return observed.waiting.slice(0, PARTS_MAX).map((batch) =>
      part(
        sentence(alarm, { ...observed, waiting: [batch] }),
        unsent.filter(({ batchId }) => batchId === batch.batchId),
        { state: "approved", batch: batch.batchId },
      ),
    );
  },
  approvals_missing: async (alarm, { observed, database }) =>
    Promise.all(
      observed.unapproved
        .slice(0, PARTS_MAX)
        .map(async (batch) =>
          part(
            sentence(alarm, { ...observed, unapproved: [batch] }),
            await progressOf(database, batch),
            { batch },
          ),
        ),
    ),
  in_doubt_too_long: async ({ says }, { inDoubt }) => [part(says, inDoubt, { state: "in_doubt" })],
  possible_double_payment: async (alarm, { observed, held }) =>
    [...Map.groupBy(held, ({ cause }) => cause)].flatMap(([cause, groups]) => {
      if (cause === null || !isTakenTwice(cause)) return [];
      const takenTwice = groups.reduce((sum, { count }) => sum + count, 0);
      const says = sentence(alarm, { ...observed, takenTwice });
      return [part(says, groups, { state: "on_hold", reason: cause })];
    }),
};

/**
 * Returns the payouts that an alarm is about, one part for each lane, batch or reason. Empty: the
 * alarm is about no particular payouts.
 */
export const alarmParts: PartsOf = async (alarm, sight) => PARTS[alarm.code]?.(alarm, sight) ?? [];

/** Returns the sentence of an alarm about one of its lanes, batches or reasons. */
const sentence = ({ code, says }: Alarm, observed: Observations): string =>
  ALARMS[code].says(observed) ?? says;

const part = (says: string, of: readonly Counted[], filter: Part["payouts_filter"]): Part => ({
  says,
  payouts: of.reduce((sum, { count }) => sum + count, 0),
  sums: [...sumByCurrency(of.map(({ sum }) => sum)).values()].map(amountOf),
  payouts_filter: filter,
});
