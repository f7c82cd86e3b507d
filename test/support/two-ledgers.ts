import { systemClock } from "#base/clock.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { MemoryLedger } from "#proof/simulation/ledger/connection.ts";
import { memoryLedger } from "#proof/simulation/ledger/memory-ledger.ts";
import type { PayoutRow } from "#proof/simulation/ledger/tables.ts";
import { listOnStatementOf } from "./listed-line.ts";
import { openTestLedger } from "./ledger.ts";
import { query } from "./servers/postgres.ts";

/** The tables' content for one payout, the same from both ledgers. */
export interface Stored {
  readonly id: number;
  readonly line: number;
  readonly state: string;
  readonly reason: string | null;
  readonly seq: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly queryCount: number;
  readonly statusAnswer: string | null;
  readonly statusAnswerTimes: number;
  /** Null: the last status query about it had a readable answer. */
  readonly silentForMs: number | null;
  readonly maybeArrived: boolean;
  readonly gatewayNumber: string | null;
  readonly attempted: readonly { number: number; worker: string; keyId: string }[];
  readonly transitions: readonly {
    seq: number;
    event: string;
    from: string;
    to: string;
    reason: string | null;
    actor: string;
  }[];
  readonly evidence: readonly { kind: string; attempt: number | null; facts: unknown }[];
}

/** A ledger under contract tests, with access to its tables and its clock. */
export interface Subject {
  readonly ledger: PayingLedger;
  /** Another process on the same ledger. */
  another(): PayingLedger;
  pass(ms: number): Promise<void>;
  /** Adds the approver US1. */
  addApprover(): Promise<void>;
  /** Puts a line about a payout on a current statement, with its own amount. */
  list(code: string, status: "completed" | "failed" | "returned"): Promise<void>;
  payouts(): Promise<Stored[]>;
  audit(): Promise<{ actor: string; action: string; object: string }[]>;
  strays(): Promise<unknown[]>;
  close(): Promise<void>;
}

async function inPostgres(): Promise<Subject> {
  const { url, ledger, database, sealer, close } = await openTestLedger();
  const rows = <Row extends Record<string, unknown>>(text: string) => query<Row>(url, text);
  return {
    ledger,
    another: () => createLedger(database, sealer, systemClock),
    async pass(ms) {
      const ago = (column: string) => `${column} = ${column} - interval '${ms} milliseconds'`;
      const stamps = [
        "due_at",
        "first_sent_at",
        "last_sent_at",
        "queried_at",
        "silent_since",
        "unanswered_at",
        "in_doubt_since",
        "status_answer_since",
        "status_answer_at",
      ];
      await rows(`
        update payouts set ${stamps.map(ago).join(", ")};
        update lanes set ${ago("retry_at")}, ${ago("gateway_pause_until")}, ${ago("updated_at")};
        update lane_rate_limits set used_until_ms = used_until_ms - ${ms}, slow_since_ms = slow_since_ms - ${ms};
        update lane_health set ${ago("updated_at")};
        update lane_completions set ${ago("completed_at")};
        update lane_pauses set ${ago("paused_at")}, ${ago("until")};
        update send_times set ${ago("send_at")} where released_at is null;
        update batches set ${ago("created_at")}, ${ago("approved_at")}`);
    },
    async addApprover() {
      await rows(`insert into users (id, email, name, roles, password)
        values ('US1', 'asha@payer.example', 'Asha', '{approver}', 'x')`);
    },
    async list(code, status) {
      await listOnStatementOf(url, code, status);
    },
    payouts: () =>
      rows(`select p.id, line, state, reason, seq, attempts, crashes, status_queries as "queryCount", status_answer as "statusAnswer",
        status_answer_times as "statusAnswerTimes",
        (extract(epoch from now() - silent_since) * 1000)::double precision as "silentForMs", maybe_arrived as "maybeArrived", gateway_number as "gatewayNumber",
        (select coalesce(json_agg(json_build_object('number', number, 'worker', worker, 'keyId', key_id)
          order by number), '[]') from attempts a where a.payout_id = p.id) as attempted,
        (select coalesce(json_agg(json_build_object('seq', seq, 'event', event, 'from', from_state, 'to', to_state,
          'reason', reason, 'actor', actor) order by seq), '[]') from transitions t where t.payout_id = p.id) as transitions,
        (select coalesce(json_agg(json_build_object('kind', kind, 'attempt', attempt, 'facts', facts)
          order by e.id), '[]') from evidence e where e.payout_id = p.id) as evidence
        from payouts p order by p.id`) as unknown as Promise<Stored[]>,
    audit: () => rows("select actor, action, object from audit order by seq"),
    strays: async () =>
      (await rows("select facts from stray_callbacks order by id")).map((row) => row["facts"]),
    close,
  };
}

async function inMemory(): Promise<Subject> {
  let passedMs = 0;
  const nowMs = () => systemClock.nowMs() + passedMs;
  const memory = new MemoryLedger(nowMs);
  const process = (): PayingLedger =>
    memoryLedger(memory, {
      clock: { nowMs, sleep: (delayMs) => systemClock.sleep(delayMs) },
      holder: {},
      call: async (_statement, effect) => effect(),
    });
  const { tables } = memory;
  return {
    ledger: process(),
    another: process,
    async pass(ms) {
      passedMs += ms;
    },
    async addApprover() {},
    async list(code, status) {
      const payout = tables.byCode.get(code);
      if (!payout) throw new Error(`there is no payout ${code}`);
      const { currency, minor, minorDigits } = payout.order.money;
      const amount = minor * 10n ** BigInt(2 - minorDigits);
      const line = { status, gatewayNumber: "", currency, amount, atMs: nowMs() };
      tables.listed = new Map(tables.listed).set(code, [...(tables.listed.get(code) ?? []), line]);
    },
    payouts: async () => tables.payouts.map((row) => stored(row, nowMs())),
    audit: async () => tables.audit.map(({ actor, action, object }) => ({ actor, action, object })),
    strays: async () => tables.strayCallbacks.map((text) => JSON.parse(text) as unknown),
    close: async () => {},
  };
}

function stored(row: PayoutRow, nowMs: number): Stored {
  const {
    id,
    line,
    state,
    reason,
    seq,
    attempts,
    crashes,
    queryCount,
    statusAnswer,
    statusAnswerTimes,
  } = row;
  const { maybeArrived, gatewayNumber, transitions } = row;
  const attempted = row.attempted.map(({ number, worker, keyId }) => ({ number, worker, keyId }));
  const evidence = row.evidence.map(({ kind, attempt, facts }) => ({ kind, attempt, facts }));
  const counted = {
    seq,
    attempts,
    crashes,
    queryCount,
    statusAnswer,
    statusAnswerTimes,
    maybeArrived,
    gatewayNumber,
  };
  const silentForMs = row.silentMs === null ? null : nowMs - row.silentMs;
  return { id, line, state, reason, silentForMs, ...counted, attempted, transitions, evidence };
}

/** The product's ledger, and the simulation's in-memory ledger. */
export const LEDGERS = [
  ["PostgreSQL", inPostgres],
  ["memory", inMemory],
] as const;
