/**
 * A ledger with as many payouts as some weeks of work produce. payrun ingests them, then SQL
 * advances their states.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { newTransactionCode, randomIds } from "#base/ids.ts";
import { CURRENCIES } from "#money/currency.ts";
import { laneOf } from "#payout/payout.ts";

/** Shares per thousand: most payouts are in rupees, one currency is rare. */
const MIX = [
  ["INR", 600],
  ["VND", 200],
  ["PHP", 120],
  ["THB", 75],
  ["MYR", 5],
] as const;

/** Shares of all payouts: one large batch in progress, a few medium ones, many small ones. */
const SIZES = [...repeat(20, 0.005), ...repeat(15, 0.02), ...repeat(4, 0.1), 0.2];

export interface Filled {
  readonly batchIds: readonly string[];
  /** The largest batch, in progress. */
  readonly working: string;
  /** A tenth of all payouts, awaiting approval. */
  readonly waiting: string;
}

/**
 * Fills a ledger with batches that contain this many payouts together.
 *
 * @param ownerUrl the address of the database as a superuser.
 */
export async function fill(
  ownerUrl: string,
  ledger: PayingLedger,
  payouts: number,
): Promise<Filled> {
  const batchIds: string[] = [];
  for (const [number, share] of SIZES.entries()) {
    const id = randomIds.batchId();
    await ingestRows(ledger, id, number, Math.round(payouts * share));
    batchIds.push(id);
    process.stderr.write(`batch ${number + 1} of ${SIZES.length} ingested\n`);
  }
  const working = batchIds.at(-1) ?? "";
  const owner = openDatabase(ownerUrl, 1);
  await owner.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    // The triggers refuse states without the approvals and moves that lead to them.
    await sql`set session_replication_role = replica`.execute(connection);
    await setStates(connection, batchIds, working);
  });
  await owner.destroy();
  return { batchIds, working, waiting: batchIds.at(-2) ?? "" };
}

const CHUNK = 2_000;

async function ingestRows(
  ledger: PayingLedger,
  id: string,
  number: number,
  size: number,
): Promise<void> {
  const digest = createHash("sha256").update(id).digest("hex");
  const batch = { id, digest, fileName: `payroll-${number}.csv`, actor: "bench" };
  await ledger.intake.createBatch(batch, async (writer) => {
    for (let first = 0; first < size; first += CHUNK) {
      const rows = Math.min(CHUNK, size - first);
      await writer.addPayouts(
        Array.from({ length: rows }, (_, at) => payout(number, first + at + 2)),
      );
    }
    return { encoding: "utf-8", delimiter: ",", header: ["bench"], notes: [] };
  });
}

function payout(batch: number, line: number) {
  const chance = spread(batch * 1_000_003 + line);
  const currency = currencyAt(chance % 1_000);
  const { minorDigits } = CURRENCIES[currency];
  const units = BigInt(100 + (spread(chance) % 90_000));
  const person = spread(chance + 7) % 300_000;
  return {
    line,
    cells: [`U${person}`, currency, String(units), nameOf(person)],
    lane: laneOf("BENCH", currency),
    reference: null,
    order: {
      transactionCode: newTransactionCode(),
      money: { currency, minor: units * 10n ** BigInt(minorDigits), minorDigits },
      details: {
        user_id: `U${person}`,
        account_name: nameOf(person),
        bank_account_number: accountOf(person),
        bank_code: `BANK${person % 40}`,
      },
      payoutCode: null,
      callbackUrl: null,
    },
  };
}

function currencyAt(thousandth: number): (typeof MIX)[number][0] {
  let sum = 0;
  return MIX.find(([, share]) => (sum += share) > thousandth)?.[0] ?? "INR";
}

const FIRST = Array.from({ length: 200 }, (_, at) => `First${at}`);
const LAST = Array.from({ length: 900 }, (_, at) => `Last${at}`);
/** Every tenth beneficiary has the same family name, as in some countries. */
const nameOf = (person: number): string =>
  `${FIRST[person % 200]} ${person % 10 === 0 ? "Nguyen" : LAST[spread(person) % 900]}`;

/** Returns the account number of a beneficiary. */
export const accountOf = (person: number): string => String(50_000_000_000 + person * 7_919);

/** The same numbers in every run, in no particular order. */
const spread = (seed: number): number => (Math.imul(seed, 2_654_435_761) ^ (seed >>> 3)) >>> 0;

/**
 * Twenty-one per thousand of an old batch were not settled. The large batch is still being sent.
 */
async function setStates(
  database: Database,
  ids: readonly string[],
  working: string,
): Promise<void> {
  const waiting = ids.slice(-3, -1);
  await sql`update batches b set created_at = now() - (o.place || ' days')::interval,
      approved_at = now() - (o.place || ' days')::interval + interval '1 hour',
      finished_at = case when b.id <> ${working} then now() - (o.place || ' days')::interval + interval '3 hours' end,
      state = case when b.id = ${working} then 'approved' else 'finished_with_exceptions' end
    from unnest(${[...ids].toReversed()}::text[]) with ordinality o(id, place)
    where o.id = b.id and b.id <> all(${waiting}::text[])`.execute(database);
  await sql`
    update payouts p set seq = 4, attempts = 1, updated_at = s.approved_at + p.line * interval '1 millisecond',
      first_sent_at = case when s.state <> 'approved' then s.approved_at + p.line * interval '1 millisecond' end,
      gateway_number = case when s.state in ('settled', 'accepted', 'returned') then 'GW' || p.id end,
      state = s.state, due_at = now() + interval '1 hour',
      reason = case s.state when 'declined' then (array['refused: bank not found', 'refused: invalid IFSC',
          'failed_at_gateway'])[1 + p.id % 3]
        when 'on_hold' then 'resend_window_over' when 'in_doubt' then 'no_answer: timeout' when 'cancelled' then 'cancelled' end
    from (select p.id, b.approved_at, case
        when b.id = ${working} and p.line > b.rows * 0.4 then 'approved'
        when b.id = ${working} and p.line > b.rows * 0.35 then 'accepted'
        when p.id % 1000 < 15 then 'declined' when p.id % 1000 < 17 then 'cancelled'
        when p.id % 1000 < 19 then 'on_hold' when p.id % 1000 < 20 then 'returned'
        when b.id = ${working} and p.id % 1000 = 20 then 'in_doubt' else 'settled' end as state
      from payouts p join batches b on b.id = p.batch_id
      where b.id <> all(${waiting}::text[])) s
    where s.id = p.id`.execute(database);
  await sql`
    insert into attempts (payout_id, number, payload_digest, key_id, worker)
    select id, 1, payload_digest, 'bench', 'bench' from payouts where attempts = 1 and state <> 'approved'`.execute(
    database,
  );
  await sql`
    insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
    select id, n, (array['send', 'accept'])[n], 'approved', state, 'bench', updated_at
    from payouts, generate_series(1, 2) n where attempts = 1 and state <> 'approved'`.execute(
    database,
  );
  await sql`
    insert into evidence (payout_id, attempt, kind, at, facts)
    select id, 1, 'answer', updated_at, '{"outcome": "accepted", "ms": 40}' from payouts
    where attempts = 1 and state <> 'approved'`.execute(database);
  await sql`vacuum analyze`.execute(database);
}

function repeat(times: number, share: number): number[] {
  return Array.from({ length: times }, () => share);
}
