import { differingPosition, overlapPercent, hasSharedWord } from "#approval/possible-duplicates.ts";
import { findBeneficiaries } from "#ledger/approval/beneficiaries.ts";
import { findRetriedRows, type RowFlag } from "#ledger/approval/retried-rows.ts";
import { findChangedRetries } from "#ledger/approval/changed-retries.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type StoredAnomaly, ROWS_SHOWN } from "#ledger/approval/anomalies.ts";
import {
  type Candidate,
  candidatesIn,
  type PossibleDuplicateCheck,
  OTHERS_MAX,
  ROWS_MAX,
  type Share,
} from "#ledger/approval/duplicate-candidates.ts";
import { withLargeBatchSettings } from "#ledger/approval/large-batch-settings.ts";
import { nameWords } from "#payout/rules/names.ts";

/** An earlier batch with the same payments as this one, in its stored form. */
export interface Overlap {
  readonly batchId: string;
  readonly rows: number;
  readonly percent: number;
  readonly sums: readonly {
    readonly currency: string;
    readonly minor_digits: number;
    readonly amount_minor: string;
  }[];
}

export interface PossibleDuplicates {
  readonly overlaps: readonly Overlap[];
  /** The checks that had more to compare than their maximum. */
  readonly cut: readonly PossibleDuplicateCheck[];
}

const OVERLAPS_SHOWN = 5;
/** Number of rows decrypted before other work gets a turn. */
const OPENED_AT_ONCE = 500;

/**
 * Finds possible duplicates of earlier payments in a batch, and the changed rows of a retry batch.
 * As for anomalies, later batches do not change the result.
 */
export const findPossibleDuplicates = (
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<
  PossibleDuplicates & {
    readonly flags: readonly StoredAnomaly[];
    /** The ids of all rows found, also of those that the flags leave out. */
    readonly rowIds: readonly number[];
    /** The ids of those whose account differs by one digit from another one of the same name. */
    readonly oneDigitOff: readonly number[];
  }
> =>
  withLargeBatchSettings(database, async (transaction) => {
    const { shares, candidates } = await candidatesIn(transaction, batchId);
    const isPast = ({ place, nth }: Candidate) => place > ROWS_MAX || nth > OTHERS_MAX;
    const compared = candidates.filter((each) => !isPast(each));
    const people = await candidatePeople(transaction, sealer, compared);
    const rows = Map.groupBy(compared, ({ found, id }) => `${found} ${id}`).values();
    const near = [...rows].flatMap((others) => findDuplicate(others, people) ?? []);
    const cut = new Set(
      candidates.filter((each) => each.far || isPast(each)).map(({ found }) => found),
    );
    const flags = [
      ...near.map(flagOf),
      ...(await findRetriedRows(transaction, sealer, batchId)),
      ...(await findChangedRetries(transaction, sealer, batchId)),
    ];
    return {
      overlaps: overlapsOf(shares),
      cut: [...cut],
      flags: duplicateAnomalies(flags),
      rowIds: flags.map(({ id }) => id),
      oneDigitOff: flags.flatMap(({ check, id }) => (check === "one_digit_off" ? id : [])),
    };
  });

/** Returns the overlapping batches, largest overlap first. */
function overlapsOf(shares: readonly Share[]): Overlap[] {
  const told = [...Map.groupBy(shares, ({ id }) => id)].flatMap(([batchId, some]) => {
    const rows = some.reduce((sum, share) => sum + share.rows, 0);
    const percent = overlapPercent(rows, some[0]?.of ?? 0);
    const sums = some.map(({ currency, minor_digits, amount_minor }) => ({
      currency,
      minor_digits,
      amount_minor,
    }));
    return percent === null ? [] : [{ batchId, rows, percent, sums }];
  });
  return told.toSorted((one, other) => other.rows - one.rows).slice(0, OVERLAPS_SHOWN);
}

interface Person {
  readonly words: readonly string[];
  readonly account: string;
}

async function candidatePeople(
  transaction: Database,
  sealer: Sealer,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, Person>> {
  const ids = [...new Set(candidates.flatMap(({ id, other_id }) => [id, other_id]))];
  const people = new Map<number, Person>();
  for (let at = 0; at < ids.length; at += OPENED_AT_ONCE) {
    const some = await findBeneficiaries(transaction, sealer, ids.slice(at, at + OPENED_AT_ONCE));
    for (const [id, { name, account }] of some) {
      people.set(id, { words: nameWords(name), account: account ?? "" });
    }
  }
  return people;
}

/**
 * Returns the candidate that is a possible duplicate, the latest if there are several, or null if
 * none is.
 */
function findDuplicate(
  others: readonly Candidate[],
  people: ReadonlyMap<number, Person>,
): Candidate | null {
  const pairs = others.flatMap((candidate) => {
    const [mine, other] = [people.get(candidate.id), people.get(candidate.other_id)];
    return mine && other ? [{ candidate, mine, other }] : [];
  });
  const [first] = pairs;
  if (first?.candidate.found === "other_name") {
    const isKnown = pairs.some(({ mine, other }) => hasSharedWord(mine.words, other.words));
    return isKnown ? null : first.candidate;
  }
  const off = pairs.find(
    ({ mine, other }) => differingPosition(mine.account, other.account) !== null,
  );
  return off?.candidate ?? null;
}

const flagOf = ({ found, ...row }: Candidate): RowFlag => ({
  check: found,
  id: row.id,
  line: row.line,
  currency: row.currency,
  minor_digits: row.minor_digits,
  amount_minor: row.amount_minor,
  against: null,
  other_id: row.other_id,
  other_batch: row.other_batch,
  other_line: row.other_line,
});

/** Returns the largest rows of each check and currency, with count and sum of all. */
const duplicateAnomalies = (flags: readonly RowFlag[]): StoredAnomaly[] =>
  [...Map.groupBy(flags, ({ check, currency }) => `${check} ${currency}`).values()].flatMap(
    (rows) => {
      const sum = rows.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
      return rows
        .slice(0, ROWS_SHOWN)
        .map((row) => ({ ...row, count: rows.length, sum: sum.toString() }));
    },
  );
