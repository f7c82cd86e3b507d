import { sql } from "kysely";
import { NAME_DAYS, oneOff, OVERLAP, overlapPercent, shareWord } from "#batch/near.ts";
import type { RowCheck } from "#batch/unusual.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { openPayout } from "#ledger/sealed-rows.ts";
import { type Flag, lookingThrough, ROWS_SHOWN } from "#ledger/unusual.ts";
import { nameWords } from "#payout/names.ts";
import { accountNumberOf } from "#payout/payout.ts";

export type NearCheck = Extract<RowCheck, "one_digit_off" | "other_name">;

/** An earlier batch that pays what this one pays, as it is kept. */
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
  /** The checks that had more to compare than they may. */
  readonly cut: readonly NearCheck[];
}

/** Sealed texts are opened for these checks, so there is an end to them: for so many rows of a batch, the largest ones. */
const ROWS_MAX = 2_000;
/** And for each of them so many others, the last ones paid. */
const OTHERS_MAX = 5;
/** Further back than so many payments under one name its accounts are not looked for. */
const PAYMENTS_MAX = 100;
const OVERLAPS_SHOWN = 5;
/** Opened between two looks at whatever else waits. */
const OPENED_AT_ONCE = 500;

/** A row beside a payment to the same account, or under the same name: it takes the sealed texts to tell whether it is near. */
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
  /** Which of the rows that have any, and which of those of this row. */
  readonly place: number;
  readonly nth: number;
  /** There may be more under its name, further back. */
  readonly far: boolean;
}

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

/** What in a batch is nearly what was paid before it; as for what is unusual, what comes in later changes nothing. */
export const nearIn = (
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<Near & { readonly flags: readonly Flag[] }> =>
  lookingThrough(database, async (transaction) => {
    const overlaps = await overlapsOf(transaction, batchId);
    const candidates = await candidatesOf(transaction, batchId);
    const isPast = ({ place, nth }: Candidate) => place > ROWS_MAX || nth > OTHERS_MAX;
    const compared = candidates.filter((each) => !isPast(each));
    const people = await peopleOf(transaction, sealer, compared);
    const rows = Map.groupBy(compared, ({ found, id }) => `${found} ${id}`).values();
    const near = [...rows].flatMap((others) => nearest(others, people) ?? []);
    const cut = new Set(
      candidates.filter((each) => each.far || isPast(each)).map(({ found }) => found),
    );
    return { overlaps, cut: [...cut], flags: flagsOf(near) };
  });

async function overlapsOf(transaction: Database, batchId: string): Promise<Overlap[]> {
  const { rows } = await sql<Overlap["sums"][number] & { id: string; rows: number; of: number }>`
    with ${rowsBefore(batchId)}, same as (
      select distinct m.id, m.currency, m.minor_digits, m.amount_minor, o.other_batch
      from mine m join before o on o.account_digest = m.account_digest and o.amount_minor = m.amount_minor
      where o.may_overlap
    )
    select other_batch as id, currency, minor_digits, count(*)::int as rows, sum(amount_minor) as amount_minor,
      (select count(*)::int from mine) as of
    from same group by 1, 2, 3 order by 1 desc, 2`.execute(transaction);
  const told = [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, shares]) => {
    const shared = shares.reduce((sum, share) => sum + share.rows, 0);
    const percent = overlapPercent(shared, shares[0]?.of ?? 0);
    const sums = shares.map(({ currency, minor_digits, amount_minor }) => ({
      currency,
      minor_digits,
      amount_minor,
    }));
    return percent === null ? [] : [{ batchId: id, rows: shared, percent, sums }];
  });
  return told.toSorted((one, other) => other.rows - one.rows).slice(0, OVERLAPS_SHOWN);
}

/** The largest rows of each currency first, and to each of them the last payments first. */
async function candidatesOf(transaction: Database, batchId: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with ${rowsBefore(batchId)}, had as materialized (
      select account_digest, name_key, max(other_id) as other_id from before
      where state <> 'awaiting_approval' and may_name and name_key is not null group by 1, 2
    ), paid as materialized (
      select distinct account_digest from before where state in ('settled', 'returned')
    ), fresh as materialized (
      select m.* from mine m
      where m.name_key is not null and not exists (select from paid where account_digest = m.account_digest)
    ), namesakes as materialized (
      select n.*, o.account_digest, max(o.payout_id) as other_id, bool_or(o.far) as far
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
      ) o group by 1, 2, 3
    ), pairs as (
      select 'other_name' as found, m.*, h.other_id, false as far
      from mine m join had h using (account_digest)
      where m.name_key is not null and not exists (
        select from had k where k.account_digest = m.account_digest and k.name_key = m.name_key)
      union all select 'one_digit_off', m.*, n.other_id, n.far
      from fresh m join namesakes n on n.name_key = m.name_key and n.currency = m.currency
    ), ordered as (
      select *, rank() over (partition by found, currency order by amount_minor desc, id) as size,
        row_number() over (partition by found, id order by other_id desc) as nth
      from pairs
    ), placed as (
      select *, dense_rank() over (partition by found order by size, currency, id) as place from ordered
      where nth <= ${OTHERS_MAX + 1}
    )
    select p.found, p.id, p.line, p.currency, p.minor_digits, p.amount_minor, p.other_id,
      o.batch_id as other_batch, o.line as other_line, p.place::int, p.nth::int, p.far
    from placed p cross join lateral (select batch_id, line from payouts where id = p.other_id offset 0) o
    where place <= ${ROWS_MAX + 1} order by p.found, place, nth`.execute(transaction);
  return rows;
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
    const { rows } = await sql<{ payout_id: number; code: string; sealed: Buffer }>`
      select payout_id, transaction_code as code, sealed from payout_details
      where payout_id = any(${ids.slice(at, at + OPENED_AT_ONCE)}::bigint[])`.execute(transaction);
    for (const { payout_id, code, sealed } of rows) {
      const { details } = openPayout(sealer, code, sealed);
      people.set(payout_id, {
        words: nameWords(details.account_name ?? ""),
        account: accountNumberOf(details) ?? "",
      });
    }
  }
  return people;
}

/** Which of the others a row is near to, the last one paid if there are several; null: it is near to none. */
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

/** As the other checks tell it: the largest rows, beside count and sum of all of them. */
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
