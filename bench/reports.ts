/** Time of each report over 90 days in which all payouts of a ledger settled or were declined. */
import { Client } from "pg";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import { systemClock } from "#base/clock.ts";
import { storeReportDays } from "#ledger/payout/lane/report-totals.ts";
import { storeFeeDays } from "#ledger/payout/lane/stored-fees.ts";
import { breaksReport, feesReport, resultsReport, timesReport } from "#views/operations/reports.ts";
import { median, scratch, settingsIn } from "./support.ts";

const LANES = ["BENCH/INR", "BENCH/VND", "BENCH/PHP", "BENCH/THB"];
const DAYS = 90;

/**
 * Writes payouts that settled in the last days, four lanes in turn; every fiftieth was declined. No
 * trigger restricts it, because it creates payouts that were never sent.
 */
export async function fillHistory(ownerUrl: string, payouts: number): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set search_path to payrun; set session_replication_role = replica");
    await client.query(BATCHES, [DAYS]);
    await client.query(MAPPING, [ZONE]);
    await client.query(LANES_OF_BATCHES, [LANES]);
    await client.query(PAYOUTS, [payouts, DAYS, LANES]);
    await client.query(TRANSITIONS);
    await client.query("vacuum analyze payouts");
    await client.query("vacuum analyze transitions");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

/** Puts the days of one lane in the zone. */
const MAPPING = `
  insert into statement_mappings (merchant_code, currency, version, columns, words, amount_style, payout_sign, zone, actor)
  values ('BENCH', 'INR', 1, '{}', '{}', 'plain', 'none', $1, 'cli:bench')`;

/** Ten batches a day. */
const BATCHES = `
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, created_at, approved_at)
  select 'B' || n, 'D' || n, 'C' || n, 'payroll.csv', 'finished', 1, 0, '{}', 0, 0, at, at + interval '20 minutes'
  from generate_series(0, $1::integer * 10 - 1) n,
    lateral (select now() - interval '1 day' * $1::integer + n * interval '144 minutes' as at) started`;

const LANES_OF_BATCHES = `
  insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
  select id, lane, split_part(lane, '/', 2), 2, 1, 1 from batches, unnest($1::text[]) lane`;

const PAYOUTS = `
  insert into payouts (batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest,
    state, seq, attempts, fee_minor, fee_digits, first_sent_at, settled_at, updated_at)
  select 'B' || batch, n, lane, split_part(lane, '/', 2), 10000 + n::bigint * 7919 % 1000000, 2, '\\x00',
    case when n % 50 = 0 then 'declined' else 'settled' end, 4, 1, 100, 2, at,
    case when n % 50 > 0 then at end, at
  from generate_series(0, $1::integer - 1) n,
    lateral (select n::bigint * $2::integer * 10 / $1::integer as batch, ($3::text[])[1 + n % 4] as lane) of_batch,
    lateral (select now() - interval '1 day' * $2::integer + batch * interval '144 minutes'
      + interval '21 minutes' + n % 5000 * interval '1 second' as at) done`;

const TRANSITIONS = `
  insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
  select id, moves.seq, event, from_state, to_state, 'bench', updated_at
  from payouts, lateral (values (1, 'approve', 'awaiting_approval', 'approved'), (2, 'send', 'approved', 'submitting'),
    (3, 'accept', 'submitting', 'accepted'), (4, case state when 'settled' then 'settle' else 'decline' end, 'accepted', state)) moves (seq, event, from_state, to_state)
  order by updated_at, id, moves.seq`;

/** Durations of one report in milliseconds. */
interface ReportTimes {
  readonly name: string;
  readonly ms: number;
}

export interface ReportFigures {
  /** Medians with the stored totals of all finished days. */
  readonly reports: readonly ReportTimes[];
  /** Time to count and store all days, in seconds. */
  readonly storeSeconds: number;
}

/** The zone is not UTC, as for most merchants. */
const ZONE = "Asia/Kolkata";

/** Measures each report over all payouts. */
export async function measureReports(payouts: number, runs: number): Promise<ReportFigures> {
  const env = await settingsIn(scratch());
  const payrun = await openPayrun(readConfig(env));
  try {
    await fillHistory(env.DATABASE_OWNER_URL, payouts);
    process.stderr.write(`${payouts} payouts written\n`);
    const { database } = payrun;
    const startedMs = performance.now();
    while ((await storeReportDays(database, ZONE, 1)) === 1);
    while ((await storeFeeDays(database, ZONE, 1)) === 1);
    const storeSeconds = (performance.now() - startedMs) / 1_000;
    const deps = { database, clock: systemClock };
    const filter = { days: DAYS, zone: ZONE };
    const measured = {
      results: () => resultsReport(filter, deps),
      fees: () => feesReport(filter, deps),
      times: () => timesReport(filter, deps),
      breaks: () => breaksReport({}, deps),
    };
    const reports: ReportTimes[] = [];
    for (const [name, measure] of Object.entries(measured)) {
      const times: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const beganMs = performance.now();
        await measure();
        times.push(performance.now() - beganMs);
      }
      reports.push({ name, ms: median(times) });
    }
    return { reports, storeSeconds };
  } finally {
    await payrun.close();
  }
}
