/** One business day of a lane with payouts in every state that a statement can show. */
import { Client } from "pg";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { batchOf, type SettledDay, statementRow } from "../../bench/settled-day.ts";

/**
 * The fate of a payout. `late`: its line is on the next statement, with its time. `again`: the next
 * statement lists it once more, as another transaction. `over_midnight`: it settles on the next
 * day. `back` and `back_later`: it is returned on this day, or on the next. `back_unlisted`: it is
 * returned on the next day, and no statement lists that. `recorded_later`: it completes on this
 * day, and payrun records that on the next.
 */
export type Fate =
  | "settled"
  | "declined"
  | "over_midnight"
  | "back"
  | "back_later"
  | "back_unlisted"
  | "on_hold"
  | "arrived"
  | "accepted"
  | "late"
  | "again"
  | "recorded_later";

const PERIOD = 400;
const FATES = new Map<number, Fate>([
  [0, "declined"],
  [1, "over_midnight"],
  [2, "back"],
  [3, "back_later"],
  [4, "on_hold"],
  [5, "arrived"],
  [6, "accepted"],
  [7, "late"],
  [8, "again"],
  [9, "recorded_later"],
  [10, "back_unlisted"],
]);

/** The fate of a payout follows from its place. */
export const fateOf = (place: number): Fate => FATES.get(place % PERIOD) ?? "settled";

const EARLY_MS = 60_000;
const DAY_MS = 86_400_000;

/** The rows of a day's statement, and those that belong on the next one. */
export interface MixedRows {
  readonly today: readonly StatementRow[];
  readonly tomorrow: readonly StatementRow[];
}

/** Returns the rows of a payout on the statements of its day and of the next day. */
export function rowsOf(day: SettledDay, place: number): MixedRows {
  const row = statementRow(day, place);
  const next = { ...row, at: Date.parse(`${day.day}T00:00:00Z`) + DAY_MS + EARLY_MS + place };
  const rows = (today: StatementRow[], tomorrow: StatementRow[] = []) => ({ today, tomorrow });
  switch (fateOf(place)) {
    case "declined":
      return rows([{ ...row, status: "Failed" }]);
    case "over_midnight":
      return rows([{ ...row, status: "Pending" }], [next]);
    case "back":
      return rows([row, { ...row, status: "Returned", at: row.at + 1 }]);
    case "back_later":
      return rows([row], [{ ...next, status: "Returned" }]);
    case "on_hold":
    case "accepted":
      return rows([{ ...row, status: "Pending" }]);
    case "late":
      return rows([], [row]);
    case "again":
      return rows([row], [{ ...next, number: `${row.number}7` }]);
    case "settled":
    case "arrived":
    case "back_unlisted":
    case "recorded_later":
      return rows([row]);
  }
}

/** Moves the payouts of a filled day to the states of their fates. */
export async function applyFates(ownerUrl: string, { lane, day }: SettledDay): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set search_path to payrun; set session_replication_role = replica");
    await client.query(APPLY, [batchOf(lane, day), lane, day]);
  } finally {
    await client.end();
  }
}

const APPLY = `
  with fate as (
    select p.id, p.updated_at as at, p.line,
      $3::text::timestamptz + interval '1 day 1 minute' + p.line * interval '1 millisecond' as next_at,
      case p.line % ${PERIOD} when 0 then 'declined' when 1 then 'over_midnight' when 2 then 'back'
        when 3 then 'back_later' when 4 then 'on_hold' when 5 then 'arrived' when 6 then 'accepted'
        when 10 then 'back_unlisted' else 'recorded_later' end as fate
    from payouts p
    where p.batch_id = $1 and p.lane = $2 and p.line % ${PERIOD} in (0, 1, 2, 3, 4, 5, 6, 9, 10)
  ),
  first as (
    update transitions t
    set to_state = case f.fate when 'declined' then 'declined' when 'on_hold' then 'on_hold'
      when 'arrived' then 'on_hold' when 'over_midnight' then 'accepted' when 'accepted' then 'accepted'
      else t.to_state end,
      at = case f.fate when 'recorded_later' then f.next_at else t.at end
    from fate f where t.payout_id = f.id
    returning t.payout_id
  ),
  later as (
    insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
    select id, 5, 'proof', 'accepted', case fate when 'arrived' then 'resolved' when 'over_midnight' then 'settled'
      else 'returned' end, 'proof', case fate when 'arrived' then at when 'back' then at else next_at end
    from fate where fate in ('over_midnight', 'back', 'back_later', 'back_unlisted', 'arrived')
  )
  update payouts p
  set state = case f.fate when 'declined' then 'declined' when 'on_hold' then 'on_hold' when 'arrived' then 'resolved'
      when 'accepted' then 'accepted' when 'over_midnight' then 'settled' when 'recorded_later' then 'settled' else 'returned' end,
    settled_at = case f.fate when 'recorded_later' then f.next_at else p.settled_at end,
    reason = case f.fate when 'arrived' then 'resolved_arrived:proof' end
  from fate f where p.id = f.id`;
