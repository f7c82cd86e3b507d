import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { runPayrun } from "../../test/support/servers/payrun.ts";
import { query } from "../../test/support/servers/postgres.ts";
import { nullIfUnavailable } from "./observer-queries.ts";
import type { LaneOrder } from "./checker/campaign.ts";
import type { Setup } from "./setup.ts";

/** Operators' commands for lanes, with their start and end as shares of the strikes. */
// biome-ignore format: the table is easier to read in columns
const LANE_ORDERS = [
  { kind: "limit",  currency: "MYR", from: 0.15, to: 0.7 },
  { kind: "freeze", currency: "THB", from: 0.35, to: 0.5 },
  { kind: "drain",  currency: "PHP", from: 0.5,  to: 0.65 },
] as const;
type LaneOrderPlan = (typeof LANE_ORDERS)[number];

interface Operators {
  /** Starts the commands due at this share of the strikes, without waiting until they finish. */
  at(share: number): void;
  /**
   * Reverts every command that still applies, and returns the period in which each certainly
   * applied.
   */
  end(): Promise<readonly LaneOrder[]>;
}

/** Limits, freezes and drains lanes by the command line during the strikes. */
export function startOperators(setup: Setup, rate: number): Operators {
  const said: LaneOrder[] = [];
  const waiting = new Set<LaneOrderPlan>(LANE_ORDERS);
  const holding = new Map<LaneOrderPlan, number>();
  let work: Promise<void> = Promise.resolve();

  const begin = async (word: LaneOrderPlan) => {
    await order([...START_COMMANDS[word.kind](rate), laneIn(word.currency)], setup);
    holding.set(word, Date.now());
  };
  const takeBack = async (word: LaneOrderPlan) => {
    const { kind, currency } = word;
    const [from, to] = [holding.get(word), Date.now()];
    if (from === undefined) return;
    holding.delete(word);
    await order([...END_COMMANDS[kind], laneIn(currency)], setup);
    said.push({ kind, currency, from, to, ...(kind === "limit" && { rate }) });
  };
  const at = (share: number) => {
    for (const word of LANE_ORDERS) {
      if (share >= word.from && waiting.delete(word)) work = work.then(() => begin(word));
      if (share >= word.to) work = work.then(() => takeBack(word));
    }
  };
  return {
    at,
    async end() {
      at(1);
      await work;
      return said;
    },
  };
}

function laneIn(currency: string): string {
  const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes(currency));
  return `${merchant?.merchant_code}/${currency}`;
}

const START_COMMANDS = {
  limit: (rate: number) => ["set", "--rate", `${rate}/s`],
  freeze: () => ["pause"],
  drain: () => ["pause", "--drain"],
} as const;
const END_COMMANDS = {
  limit: ["set", "--rate", "none"],
  freeze: ["resume"],
  drain: ["resume"],
} as const;

/**
 * Batches and lanes that need a person: a batch whose canary did not settle, a lane that one answer
 * has stopped too often.
 */
const WAITS_FOR_A_PERSON = `select id, 'release' as word from batches where state = 'paused'
  union select min(p.batch_id), 'resume' from lanes l
    join payouts p on p.lane = l.lane and p.state in ('approved', 'in_doubt')
    join batches b on b.id = p.batch_id and b.state = 'approved'
  where l.reason is not null and l.needs = 'person'
    and b.id not in (select batch_id from send_times where released_at is null)
  group by l.lane`;

/** Inspects what stopped and continues it, for the whole campaign. */
export async function resumeStopped(setup: Setup, over: AbortSignal): Promise<void> {
  const direct = { ...setup.env, DATABASE_URL: setup.databaseUrl };
  while (!over.aborted) {
    const waiting = await nullIfUnavailable(
      query<{ id: string; word: string }>(setup.databaseUrl, WAITS_FOR_A_PERSON),
    );
    for (const { id, word } of waiting ?? []) {
      await runPayrun(["batch", word, id, "--reason", "reviewed"], direct);
    }
    await sleep(500);
  }
}

/**
 * A lane without a payout so far, or whose pause was removed by a command whose answer was lost.
 */
const TRIES_MAX = 60;

/** Repeats the command until it succeeds: a server may go away while it runs. */
async function order(args: readonly string[], { env, databaseUrl, texts }: Setup): Promise<void> {
  const direct = { ...env, DATABASE_URL: databaseUrl };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const words = ["lane", ...args, "--reason", "chaos"];
    const { code, stdout, stderr } = await runPayrun(words, direct);
    appendFileSync(join(texts, "operators.log"), stdout + stderr);
    const isBack = args[0] === "resume" && stderr.includes("is not paused");
    if (code === 0 || isBack) return;
    await sleep(300);
  }
  throw new Error(`failed: lane ${args.join(" ")}`);
}
