import { Client } from "pg";

/**
 * Writes accepted payouts. No trigger restricts it, because it creates payouts that were never
 * sent.
 *
 * @param ownerUrl the address of the database as a superuser.
 */
export async function fillAccepted(ownerUrl: string, payouts: number): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set search_path to payrun; set session_replication_role = replica");
    await client.query(FILL, [payouts]);
    await client.query("analyze payouts, payout_details");
  } finally {
    await client.end();
  }
}

const FILL = `
  with made as (
    insert into payouts (batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state, seq, attempts)
    select 'BEVENTS', n, 'EVENTS/INR', 'INR', 10000 + n, 2, '\\x00', 'accepted', 2, 1 from generate_series(1, $1::integer) n
    returning id, line, amount_minor
  )
  insert into payout_details (payout_id, transaction_code, account_digest, amount_minor, minor_unit, mixed_scripts, sealed)
  select id, 'PR' || upper(substr(md5('' || line), 1, 18)), '\\x00', amount_minor, 0.01, false, '\\x00' from made`;
