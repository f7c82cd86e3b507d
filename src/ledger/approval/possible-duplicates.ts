import { sql } from "kysely";
import {
  NAME_DAYS,
  oneOff,
  OVERLAP,
  overlapPercent,
  shareWord,
} from "#approval/possible-duplicates.ts";
import type { RowCheck } from "#approval/anomalies.ts";
import { beneficiariesOf } from "#ledger/approval/beneficiaries.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type Flag, lookingThrough, ROWS_SHOWN } from "#ledger/approval/anomalies.ts";
import { nameWords } from "#payout/rules/names.ts";

export type NearCheck = Extract<RowCheck, "one_digit_off" | "other_name">;

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

export interface Near {
  readonly overlaps: readonly Overlap[];
  /** The checks that had more to compare than their maximum. */
  readonly cut: readonly NearCheck[];
}

/** Maximum number of rows that one check decrypts and compares, largest amounts first. */
const ROWS_MAX = 2_000;
/** Maximum number of other payouts compared with each of these rows, latest first. */
const OTHERS_MAX = 5;
/** Maximum number of payouts under one name that are searched for accounts, latest first. */
const PAYMENTS_MAX = 100;
const OVERLAPS_SHOWN = 5;
/** Number of rows decrypted before other work gets a turn. */
const OPENED_AT_ONCE = 500;

/**
 * A row and a payment to the same account or under the same name. Only the decrypted texts show
 * whether they are possible duplicates.
 */
interface Candidate {
  readonly found: NearCheck;
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly other_id: number;
  readonly other_batch: string;
  readonly other_line: number;
  /** Rank of the row among rows with candidates, and rank of the candidate within its row. */
  readonly place: number;
  readonly nth: number;
  /** True if there may be more payments under the name, further back. */
  readonly far: boolean;
}

/** Payments that a batch shares with another one, in one currency. */
type Share = Overlap["sums"][number] & {
  readonly id: string;
  readonly rows: number;
  /** Number of rows of the whole batch. */
  readonly of: number;
};

const rowsBefore = (batchId: string) => sql`
  batch as materialized (
    select id, first_id, last_id, created_at from batches where id = ${batchId}
  ), mine as materialized (
    select p.*, d.* from batch b cross join lateral (
      select id, line, currency, minor_digits, amount_minor from payouts
      where id between b.first_id and b.last_id and batch_id = b.id offset 0
    ) p cross join lateral (
      select account_digest, name_key from payout_details where payout_id = p.id offset 0
    ) d
  ), before as materialized (
    select m.account_digest, d.name_key, p.*, o.created_at > b.created_at - ${OVERLAP.days} * interval '1 day' as may_overlap,
      o.created_at > b.created_at - ${NAME_DAYS} * interval '1 day' as may_name
    from batch b cross join (select distinct account_digest from mine) m cross join lateral (
      select payout_id, name_key from payout_details where account_digest = m.account_digest offset 0
    ) d cross join lateral (
      select id as other_id, batch_id as other_batch, line as other_line, amount_minor, state from payouts
      where id = d.payout_id and id < b.first_id and state not in ('cancelled', 'declined') offset 0
    ) p join batches o on o.id = p.other_batch and o.state <> 'cancelled'
  )`;

/**
 * Finds possible duplicates of earlier payments in a batch. As for anomalies, later batches do not
 * change the result.
 */
export const nearIn = (
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<Near & { readonly flags: readonly Flag[] }> =>
  lookingThrough(database, async (transaction) => {
    const { shares, candidates } = await beside(transaction, batchId);
    const isPast = ({ place, nth }: Candidate) => place > ROWS_MAX || nth > OTHERS_MAX;
    const compared = candidates.filter((each) => !isPast(each));
    const people = await peopleOf(transaction, sealer, compared);
    const rows = Map.groupBy(compared, ({ found, id }) => `${found} ${id}`).values();
    const near = [...rows].flatMap((others) => nearest(others, people) ?? []);
    const cut = new Set(
      candidates.filter((each) => each.far || isPast(each)).map(({ found }) => found),
    );
    return { overlaps: overlapsOf(shares), cut: [...cut], flags: flagsOf(near) };
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

interface Beside {
  /** Newest batch first. */
  readonly shares: readonly Share[];
  /** Largest rows of each currency first, and for each row the latest payments first. */
  readonly candidates: readonly Candidate[];
}

/**
 * Runs one statement, because finding earlier payments to the accounts of a batch takes longer than
 * comparing them.
 */
async function beside(transaction: Database, batchId: string): Promise<Beside> {
  const { rows } = await sql<Beside>`
    with ${rowsBefore(batchId)}, shares as (
      select other_batch as id, currency, minor_digits, count(*) as rows, sum(amount_minor)::text as amount_minor,
        (select count(*) from mine) as of
      from mine join (
        select distinct account_digest, amount_minor, other_batch from before where may_overlap
      ) o using (account_digest, amount_minor) group by 1, 2, 3
    ), had as materialized (
      select account_digest, name_key, max(other_id) as other_id,
        row_number() over (partition by account_digest order by max(other_id) desc) as nth from before
      where state <> 'awaiting_approval' and may_name and name_key is not null group by 1, 2
    ), paid as materialized (
      select distinct account_digest from before where state in ('settled', 'returned')
    ), fresh as materialized (
      select m.* from mine m
      where m.name_key is not null and not exists (select from paid where account_digest = m.account_digest)
    ), namesakes as materialized (
      select n.*, o.account_digest, max(o.payout_id) as other_id, bool_or(o.far) as far,
        row_number() over (partition by n.name_key, n.currency order by max(o.payout_id) desc) as nth
      from (select distinct name_key, currency from fresh) n cross join batch b cross join lateral (
        select d.* from (
          select payout_id, account_digest, count(*) over () = ${PAYMENTS_MAX} as far from (
            select payout_id, account_digest from payout_details
            where name_key = n.name_key and payout_id < b.first_id order by payout_id desc limit ${PAYMENTS_MAX}
          ) last offset 0
        ) d cross join lateral (
          select 1 from payouts where id = d.payout_id and currency = n.currency
            and state in ('settled', 'returned') offset 0
        ) p
      ) o group by n.name_key, n.currency, o.account_digest
    ), pairs as (
      select 'other_name' as found, m.*, h.other_id, h.nth, false as far
      from mine m join had h using (account_digest)
      where h.nth <= ${OTHERS_MAX + 1} and m.name_key is not null and not exists (
        select from had k where k.account_digest = m.account_digest and k.name_key = m.name_key)
      union all select 'one_digit_off', m.*, n.other_id, n.nth, n.far
      from fresh m join namesakes n on n.name_key = m.name_key and n.currency = m.currency
      where n.nth <= ${OTHERS_MAX + 1}
    ), sized as (
      select *, dense_rank() over (partition by found, currency order by amount_minor desc, id) as size from pairs
    ), placed as (
      select *, dense_rank() over (partition by found order by size, currency) as place from sized
    ), candidates as (
      select p.found, p.id, p.line, p.currency, p.minor_digits, p.amount_minor::text, p.other_id,
        o.batch_id as other_batch, o.line as other_line, p.place, p.nth, p.far
      from placed p cross join lateral (select batch_id, line from payouts where id = p.other_id offset 0) o
      where place <= ${ROWS_MAX + 1}
    )
    select coalesce((select json_agg(s order by s.id desc, s.currency) from shares s), '[]') as shares,
      coalesce((select json_agg(c order by c.found, c.place, c.nth) from candidates c), '[]') as candidates`.execute(
    transaction,
  );
  return rows[0] ?? { shares: [], candidates: [] };
}

interface Person {
  readonly words: readonly string[];
  readonly account: string;
}

async function peopleOf(
  transaction: Database,
  sealer: Sealer,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, Person>> {
  const ids = [...new Set(candidates.flatMap(({ id, other_id }) => [id, other_id]))];
  const people = new Map<number, Person>();
  for (let at = 0; at < ids.length; at += OPENED_AT_ONCE) {
    const some = await beneficiariesOf(transaction, sealer, ids.slice(at, at + OPENED_AT_ONCE));
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
function nearest(
  others: readonly Candidate[],
  people: ReadonlyMap<number, Person>,
): Candidate | null {
  const pairs = others.flatMap((candidate) => {
    const [mine, other] = [people.get(candidate.id), people.get(candidate.other_id)];
    return mine && other ? [{ candidate, mine, other }] : [];
  });
  const [first] = pairs;
  if (first?.candidate.found === "other_name") {
    const isKnown = pairs.some(({ mine, other }) => shareWord(mine.words, other.words));
    return isKnown ? null : first.candidate;
  }
  const off = pairs.find(({ mine, other }) => oneOff(mine.account, other.account) !== null);
  return off?.candidate ?? null;
}

/** Returns flags in the form of the other checks: the largest rows, with count and sum of all. */
const flagsOf = (near: readonly Candidate[]): Flag[] =>
  [...Map.groupBy(near, ({ found, currency }) => `${found} ${currency}`).values()].flatMap(
    (rows) => {
      const sum = rows.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
      return rows.slice(0, ROWS_SHOWN).map(({ found, ...row }) => ({
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
        count: rows.length,
        sum: sum.toString(),
      }));
    },
  );
