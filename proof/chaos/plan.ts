import { seededRandom } from "#simulator/faults/seeded-random.ts";

export const ENGINES = ["redis", "postgres"] as const;
/** Where the queue is: the engines, and Redis with replicas and Sentinel. */
export const QUEUES = [...ENGINES, "sentinel"] as const;
export type Engine = (typeof QUEUES)[number];

export const LINKS = ["gateway", "postgres", "redis"] as const;
export type Link = (typeof LINKS)[number];

/** One strike. `kills` are process kills; the others are additional. */
export type Strike = { readonly waitMs: number } & (
  | { readonly kind: "kill"; readonly whom: Victim }
  /** The primary is killed and its synchronous standby promoted. */
  | { readonly kind: "kill"; readonly whom: "postgres"; readonly promotes: true }
  /** Redis is killed and returns with an earlier state, or without the end of what it wrote. */
  | { readonly kind: "kill"; readonly whom: "redis"; readonly loss: "older" }
  | { readonly kind: "kill"; readonly whom: "redis"; readonly loss: "cut"; readonly share: number }
  /** Frozen for a while: longer than a lease, or shorter. */
  | { readonly kind: "freeze"; readonly whom: Member; readonly forMs: number }
  | { readonly kind: "end"; readonly whom: Member }
  | { readonly kind: "flush" }
  /** A replica takes over, because the primary is silent or by command. */
  | { readonly kind: "failover"; readonly how: "freeze" | "command" }
  | { readonly kind: "link"; readonly link: Link; readonly how: LinkFault; readonly forMs: number }
);

/** `delayMs` before each piece; pieces of at most `bytes`. Zero bytes: the connection is cut. */
export interface LinkFault {
  readonly delayMs: number;
  readonly bytes: number;
}

/** A process of payrun, by its number. */
export type Member = `server-${number}` | `worker-${number}`;
type Victim = Member | "postgres" | "redis" | "primary";

export interface PlanOptions {
  readonly seed: number;
  readonly kills: number;
  readonly servers: number;
  readonly workers: number;
  readonly engine: Engine;
  /** True: the ledger has a synchronous standby, which is promoted at times. */
  readonly standby?: boolean;
  /** Average time between two strikes. */
  readonly stepMs: number;
  /** How long a claimed payout belongs to its worker. */
  readonly leaseMs: number;
}

type Make = (dice: () => number, options: PlanOptions) => Unplaced;
type Unplaced = Strike extends infer Each
  ? Each extends Strike
    ? Omit<Each, "waitMs">
    : never
  : never;

interface Share {
  readonly weight: number;
  readonly needs?: Engine | "standby";
  readonly make: Make;
}

const worker = (dice: () => number, { workers }: PlanOptions): Member =>
  `worker-${Math.floor(dice() * workers)}`;
// Without a throw for a single one, so that its plans stay as they were.
const server = (dice: () => number, { servers }: PlanOptions): Member =>
  servers === 1 ? "server-0" : `server-${Math.floor(dice() * servers)}`;
const between = (dice: () => number, from: number, to: number): number =>
  Math.round(from + dice() * (to - from));

// biome-ignore format: one line per kind of kill
const KILLS: readonly Share[] = [
  { weight: 60, make: (dice, options) => ({ kind: "kill", whom: worker(dice, options) }) },
  { weight: 12, make: (dice, options) => ({ kind: "kill", whom: server(dice, options) }) },
  { weight: 12, make: () => ({ kind: "kill", whom: "postgres" }) },
  { weight: 8,  needs: "redis", make: () => ({ kind: "kill", whom: "redis" }) },
  { weight: 12, needs: "standby", make: () => ({ kind: "kill", whom: "postgres", promotes: true }) },
  { weight: 4,  needs: "redis", make: () => ({ kind: "kill", whom: "redis", loss: "older" }) },
  { weight: 4,  needs: "redis", make: (dice) => ({ kind: "kill", whom: "redis", loss: "cut", share: dice() }) },
  { weight: 16, needs: "sentinel", make: () => ({ kind: "kill", whom: "primary" }) },
];

const onLink = (link: Link, how: (dice: () => number) => LinkFault): Share => ({
  weight: 1,
  ...(link === "redis" ? { needs: "redis" } : {}),
  make: (dice) => ({ kind: "link", link, how: how(dice), forMs: between(dice, 200, 2_000) }),
});

/** The additional strikes, the same number of each. */
// biome-ignore format: one line per kind
const OTHER_STRIKES: readonly Share[] = [
  { weight: 1, make: (dice, options) => ({ kind: "freeze", whom: worker(dice, options), forMs: between(dice, 300, 2_000) }) },
  { weight: 1, make: (dice, options) => ({ kind: "freeze", whom: worker(dice, options), forMs: options.leaseMs + between(dice, 500, 2_500) }) },
  { weight: 1, make: (dice, options) => ({ kind: "freeze", whom: server(dice, options), forMs: between(dice, 300, 2_000) }) },
  { weight: 1, make: (dice, options) => ({ kind: "end", whom: worker(dice, options) }) },
  { weight: 1, make: (dice, options) => ({ kind: "end", whom: server(dice, options) }) },
  { weight: 2, needs: "redis", make: () => ({ kind: "flush" }) },
  { weight: 2, needs: "sentinel", make: () => ({ kind: "failover", how: "freeze" }) },
  { weight: 2, needs: "sentinel", make: () => ({ kind: "failover", how: "command" }) },
  ...LINKS.map((link) => onLink(link, () => ({ delayMs: 0, bytes: 0 }))),
  ...LINKS.map((link) => onLink(link, (dice) => ({ delayMs: between(dice, 20, 400), bytes: 65_536 }))),
  ...LINKS.map((link) => onLink(link, (dice) => ({ delayMs: between(dice, 1, 10), bytes: between(dice, 1, 64) }))),
];

/** Every ten kills come with seven other strikes. */
const OTHER_STRIKES_PER_KILL = 0.7;

/**
 * The strikes on payrun with their order and pauses, derived only from the seed. The kinds are
 * distributed by their weights, so that a small plan has some of each, and then shuffled.
 */
export function planOf(options: PlanOptions): readonly Strike[] {
  let thrown = 0;
  const dice = () => seededRandom(options.seed, "plan", (thrown += 1));
  const strikes = [
    ...deal(KILLS, options.kills, options),
    ...deal(OTHER_STRIKES, Math.round(options.kills * OTHER_STRIKES_PER_KILL), options),
  ].map(({ make }) => make(dice, options));
  for (let at = strikes.length - 1; at > 0; at -= 1) {
    const other = Math.floor(dice() * (at + 1));
    [strikes[at], strikes[other]] = [strikes[other] as Unplaced, strikes[at] as Unplaced];
  }
  return strikes.map((strike) => ({
    ...strike,
    waitMs: between(dice, options.stepMs * 0.4, options.stepMs * 1.6),
  }));
}

/**
 * Number of files uploaded by the time of a strike: at least one with the first, all with the last.
 */
export const filesBy = (strike: number, strikes: number, files: number): number =>
  Math.ceil(((strike + 1) * files) / strikes);

/** Divides a number into shares by their weights; the rest goes to the first. */
function deal(
  shares: readonly Share[],
  count: number,
  { engine, standby = false }: PlanOptions,
): readonly Share[] {
  const has = (needs: Engine | "standby"): boolean =>
    needs === "standby" ? standby : needs === engine;
  const fit = shares.filter(({ needs }) => needs === undefined || has(needs));
  const weights = fit.reduce((sum, { weight }) => sum + weight, 0);
  const dealt = fit.flatMap((share) =>
    Array.from({ length: Math.floor((count * share.weight) / weights) }, () => share),
  );
  return [
    ...dealt,
    ...Array.from({ length: count - dealt.length }, (_, at) => fit[at % fit.length] as Share),
  ];
}
