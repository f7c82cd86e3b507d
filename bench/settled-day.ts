/** Settled payouts of one business day, written by SQL, and the rows of their statement. */
import { createHash } from "node:crypto";
import { Client } from "pg";
import type { StatementRow } from "#simulator/statements/defects.ts";

/** One day of one lane, and how many payouts settled on it. */
export interface SettledDay {
  readonly lane: string;
  readonly currency: string;
  /** "2026-11-26", in UTC. */
  readonly day: string;
  readonly payouts: number;
}

const AMOUNT_MIN = 10_000;
const AMOUNT_STEP = 7_919;
const AMOUNTS = 1_000_000;
/** Milliseconds between two payouts, so that a million payouts fit into one day. */
const SPACING_MS = 80;

/**
 * Writes the payouts of a day: number, amount and time of each follow from its place. No trigger
 * restricts it, because it creates settled payouts that were never sent.
 *
 * @param ownerUrl the address of the database as a superuser.
 */
export async function fillSettledDay(
  ownerUrl: string,
  { lane, currency, day, payouts }: SettledDay,
): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set search_path to payrun; set session_replication_role = replica");
    await client.query(FILL, [batchOf(lane, day), lane, currency, day, payouts - 1]);
  } finally {
    await client.end();
  }
}

/** The batch of the payouts of a day. */
export const batchOf = (lane: string, day: string): string => `B${day}-${lane}`;

const FILL = `
  with made as (
    insert into payouts (batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest,
      state, seq, attempts, gateway_number, fee_minor, fee_digits, first_sent_at, settled_at, updated_at)
    select $1, n, $2, $3, ${AMOUNT_MIN} + n::bigint * ${AMOUNT_STEP} % ${AMOUNTS},
      2, '\\x00', 'settled', 4, 1, 'WD' || upper(substr(md5($2::text || $4::text || n), 19, 12)), 100, 2, settled_at, settled_at, settled_at
    from generate_series(0, $5::integer) n,
      lateral (select $4::text::timestamptz + n * ${SPACING_MS} * interval '1 millisecond' as settled_at) at_
    returning id, line, amount_minor, updated_at
  ),
  details as (
    insert into payout_details (payout_id, transaction_code, account_digest, amount_minor, minor_unit, mixed_scripts, sealed)
    select id, 'PR' || upper(substr(md5($2::text || $4::text || line), 1, 18)), '\\x00', amount_minor, 0.01, false, '\\x00'
    from made
  ),
  lanes as (
    insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
    values ($1, $2, $3, 2, $5::integer + 1, 1)
  )
  insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
  select id, 4, 'settle', 'accepted', 'settled', 'proof', updated_at from made`;

/** Returns the row of one payout on the statement of its day. */
export function statementRow({ lane, currency, day }: SettledDay, place: number): StatementRow {
  const digest = createHash("md5").update(`${lane}${day}${place}`).digest("hex").toUpperCase();
  const minor = AMOUNT_MIN + ((place * AMOUNT_STEP) % AMOUNTS);
  const text = String(minor).padStart(3, "0");
  return {
    number: `WD${digest.slice(18, 30)}`,
    code: `PR${digest.slice(0, 18)}`,
    currency,
    amount: `${text.slice(0, -2)}.${text.slice(-2)}`,
    fee: "1.00",
    status: "Completed",
    at: Date.parse(`${day}T00:00:00Z`) + place * SPACING_MS,
  };
}

/** Returns the rows of the statement of a day without defects. */
export const statementRowsOf = (day: SettledDay): StatementRow[] =>
  Array.from({ length: day.payouts }, (_, place) => statementRow(day, place));
