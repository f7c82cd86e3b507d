import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { readConfig } from "#app/config.ts";
import { openLedger } from "#app/open-ledger.ts";
import type { Database } from "#ledger/store/database.ts";
import { scratch, settingsIn, start, type Started } from "../../bench/support.ts";
import { fillAccepted } from "./accepted-payouts.ts";
import { readLast, readStored, SLOW_ACTOR, type StoredEvent } from "./stored-events.ts";

export interface EventCampaign {
  readonly payouts: number;
  /** Processes that are killed: writers and consumers. */
  readonly kills: number;
  /** Results that the writers together record per second. */
  readonly perSecond: number;
  readonly slowMs: number;
}

export interface EventResult {
  readonly events: number;
  readonly kills: number;
  /** Payouts whose state the consumer does not know. */
  readonly wrong: readonly string[];
  /** Events whose number does not follow the previous one. */
  readonly gaps: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly eventsPerSecond: number;
}

const WRITERS = 3;
const KILL_EVERY_MS = 400;

/**
 * Lets writers record results and a consumer follow the events, kills them again and again,
 * and compares what the consumer stored with the ledger.
 */
export async function runEventCampaign(campaign: EventCampaign): Promise<EventResult> {
  const folder = scratch();
  const env = await settingsIn(folder);
  const open = await openLedger(readConfig(env));
  try {
    await fillAccepted(env.DATABASE_OWNER_URL, campaign.payouts);
    const file = join(folder, "events");
    appendFileSync(file, "");
    const startedMs = performance.now();
    const fleet = new Fleet(file, campaign, env);
    const kills = await fleet.run({
      isOver: () => isWritten(open.database),
      share: async () => (await publishedEvents(open.database)) / campaign.payouts,
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    await caughtUp(open.database, file);
    await fleet.stop();
    const events = readStored(file);
    const lags = await lagsSinceCommit(open.database, events, campaign.slowMs);
    return {
      events: events.length,
      kills,
      wrong: await wrongStates(open.database, events),
      gaps: events.filter(({ number }, place) => number !== place + 1).length,
      p50Ms: lags[Math.floor(lags.length * 0.5)] ?? Number.NaN,
      p99Ms: lags[Math.floor(lags.length * 0.99)] ?? Number.NaN,
      eventsPerSecond: events.length / seconds,
    };
  } finally {
    await open.close();
  }
}

/** The writers and the consumer. A killed process is started again. */
class Fleet {
  readonly #commands: readonly (readonly string[])[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #kills: number;
  readonly #running: Promise<Started>[] = [];

  constructor(
    file: string,
    { kills, perSecond, slowMs }: EventCampaign,
    env: Readonly<Record<string, string>>,
  ) {
    const each = String(perSecond / WRITERS);
    this.#commands = [
      ["proof/events/consumer.ts", file],
      ...Array.from({ length: WRITERS }, (_, share) => [
        "proof/events/writer.ts",
        String(share),
        String(WRITERS),
        each,
        String(slowMs),
      ]),
    ];
    this.#env = env;
    this.#kills = kills;
  }

  /**
   * Returns the number of kills when all results are written. The kills are spread over the events,
   * and the other processes run while a killed one starts.
   */
  async run({
    isOver,
    share,
  }: {
    readonly isOver: () => Promise<boolean>;
    readonly share: () => Promise<number>;
  }): Promise<number> {
    for (const place of this.#commands.keys()) this.#start(place);
    await Promise.all(this.#running);
    let killed = 0;
    while (!(await isOver())) {
      await setTimeout(KILL_EVERY_MS);
      if (killed >= this.#kills * Math.min(1, await share())) continue;
      const place = killed % this.#commands.length;
      await (await this.#running[place])?.stop("SIGKILL");
      this.#start(place);
      killed += 1;
    }
    return killed;
  }

  #start(place: number): void {
    const args = this.#commands[place] ?? [];
    this.#running[place] = start(process.execPath, args, this.#env, /ready/);
  }

  async stop(): Promise<void> {
    for (const each of this.#running) await (await each).stop("SIGKILL");
  }
}

async function isWritten(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from payouts where batch_id = 'BEVENTS' and state = 'accepted' limit 1`.execute(
    database,
  );
  return rows.length === 0;
}

async function publishedEvents(database: Database): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(number), 0)::int as last from events`.execute(database);
  return rows[0]?.last ?? 0;
}

/** Waits until the consumer has stored the last event. */
async function caughtUp(database: Database, file: string): Promise<void> {
  for (;;) {
    await setTimeout(1_000);
    const { rows } = await sql<{ last: number; waiting: number }>`
      select coalesce(max(number), 0) as last,
        (select count(*)::int from unpublished_events) as waiting
      from events`.execute(database);
    if (rows[0]?.waiting === 0 && readLast(file).number === rows[0].last) return;
  }
}

/**
 * Milliseconds from the commit of each result to the arrival of its event, ascending. The ledger
 * knows when a transaction began, and a slow one commits `slowMs` later or more.
 */
async function lagsSinceCommit(
  database: Database,
  events: readonly StoredEvent[],
  slowMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ code: string; state: string }>`
    select transaction_code as code, to_state as state
    from transitions join payout_details using (payout_id)
    where actor = ${SLOW_ACTOR}`.execute(database);
  const slow = new Set(rows.map(({ code, state }) => `${code} ${state}`));
  return events
    .map(({ lagMs, code, state }) => (slow.has(`${code} ${state}`) ? lagMs - slowMs : lagMs))
    .toSorted((a, b) => a - b);
}

async function wrongStates(database: Database, events: readonly StoredEvent[]): Promise<string[]> {
  const known = new Map(events.map(({ code, state }) => [code, state]));
  const { rows } = await sql<{ code: string; state: string }>`
    select transaction_code as code, state
    from payouts join payout_details on payout_id = id`.execute(database);
  return rows.flatMap(({ code, state }) =>
    known.get(code) === state ? [] : [`${code} ${state}, but ${known.get(code) ?? "unknown"}`],
  );
}
