import type { BookLine } from "#simulator/book.ts";
import { FAST, type Env, merchantsFile, runPayrun, scratch } from "./payrun.ts";
import { freshDatabase } from "./ledger.ts";
import { type RedisProcess, startRedis } from "./redis.ts";
import { type SimulatorProcess, type SimulatorSettings, startSimulator } from "./simulator.ts";

/** Both queues; every journey is made on each. */
export const ENGINES = ["postgres", "redis"] as const;
export type Engine = (typeof ENGINES)[number];

/** Everything around payrun for one journey: a ledger, a queue, a gateway and a folder. */
export interface Stage {
  readonly env: Env;
  readonly folder: string;
  readonly gateway: SimulatorProcess;
  readonly redis: RedisProcess | null;
  stop(): Promise<void>;
}

export async function setStage(engine: Engine, settings: SimulatorSettings = {}): Promise<Stage> {
  const folder = scratch();
  const [gateway, redis, databaseUrl] = await Promise.all([
    startSimulator({ settleMs: 300, ...settings }),
    engine === "redis" ? startRedis() : null,
    freshDatabase(),
  ]);
  return {
    folder,
    gateway,
    redis,
    env: {
      ...FAST,
      DATABASE_URL: databaseUrl,
      GATEWAY_URL: gateway.url,
      MERCHANTS_FILE: merchantsFile(folder),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    async stop() {
      await Promise.all([gateway.stop(), redis?.stop()]);
    },
  };
}

/** A line of `batch report --json`. */
export interface ReportLine {
  readonly line: number;
  readonly transactionCode: string | null;
  readonly state: string;
  readonly gatewayNumber: string | null;
  readonly reason: string | null;
  readonly transaction_amount: string;
  readonly currency_code: string;
}

export async function reportOf(batchId: string, env: Env): Promise<ReportLine[]> {
  const { stdout, stderr, code } = await runPayrun(["batch", "report", batchId, "--json"], env);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReportLine);
}

/** What the gateway's own book knows of one code. */
export interface Booked {
  accepted: number;
  ended: string[];
}

export function bookByCode(lines: readonly BookLine[]): Map<string, Booked> {
  const codes = new Map<string, Booked>();
  for (const { event, transaction_code: code } of lines) {
    const booked = codes.get(code) ?? { accepted: 0, ended: [] };
    if (event === "accepted") booked.accepted += 1;
    if (event === "settled" || event === "failed") booked.ended.push(event);
    codes.set(code, booked);
  }
  return codes;
}

/** Differences between what payrun tells people and what the gateway's book shows; none, when all is well. */
export interface Differences {
  /** Codes that the book accepted more than once: money paid twice. */
  readonly paidTwice: readonly string[];
  /** Told settled, and the book shows no settlement. */
  readonly settledInWordsOnly: readonly string[];
  /** Told that no money moved, and the book has accepted the code. */
  readonly paidInSecret: readonly string[];
  /** Accepted by the gateway under a code that the report does not have. */
  readonly strangers: readonly string[];
}

export function differences(
  report: readonly ReportLine[],
  lines: readonly BookLine[],
): Differences {
  const book = bookByCode(lines);
  const ours = new Set(report.map(({ transactionCode }) => transactionCode));
  const codesOf = (test: (state: string, booked: Booked | undefined) => boolean): string[] =>
    report.flatMap(({ transactionCode: code, state }) =>
      code !== null && test(state, book.get(code)) ? [code] : [],
    );
  return {
    paidTwice: [...book].flatMap(([code, { accepted }]) => (accepted > 1 ? [code] : [])),
    settledInWordsOnly: codesOf(
      (state, booked) => state === "settled" && !booked?.ended.includes("settled"),
    ),
    paidInSecret: codesOf(
      (state, booked) =>
        ["declined", "cancelled", "approved", "awaiting_approval"].includes(state) &&
        (booked?.accepted ?? 0) > 0 &&
        !booked?.ended.includes("failed"),
    ),
    strangers: [...book].flatMap(([code, { accepted }]) =>
      accepted > 0 && !ours.has(code) ? [code] : [],
    ),
  };
}

export const NO_DIFFERENCE: Differences = {
  paidTwice: [],
  settledInWordsOnly: [],
  paidInSecret: [],
  strangers: [],
};
