import type { LaneStop } from "#payout/outcome.ts";

/** What stops sending by itself, in the words that are shown everywhere. Why it holds stands with each stop. */
interface Words {
  readonly name: string;
  /** What could happen if it did not hold. */
  readonly protects: string;
  readonly opens: string;
}

/** Programs look at the keys: they are for ever. */
export const BRAKES = {
  set_up: {
    name: "wrong set-up",
    protects: "the rows: each would be refused for a cause that is not theirs",
    opens: "a person mends the cause and opens the lane",
  },
  outage: {
    name: "gateway away",
    protects: "the gateway, from a crowd of tries that are all in vain",
    opens:
      "by itself: one payout is tried now and then, the first that gets through opens the lane",
  },
  balance: {
    name: "insufficient balance",
    protects: "the rows and the gateway: each try would be refused until there is money",
    opens:
      "by itself: the balance is asked for, and one payout is tried unless it is known to be too low; the first that gets through opens the lane",
  },
  errors: {
    name: "circuit breaker",
    protects: "the payouts that follow: each might end in doubt as those before it",
    opens: "by itself, when three payouts in a row get a proper answer, tried one at a time",
  },
  silence: {
    name: "gateway silence",
    protects: "the payouts that follow: nobody could say whether they arrived",
    opens: "by itself, when three payouts in a row get a proper answer, tried one at a time",
  },
  slow: {
    name: "slow gateway",
    protects:
      "the payouts that follow: each would be in doubt, because its answer comes after the timeout",
    opens:
      "by itself, when three payouts in a row get a proper answer, tried one at a time; raise GATEWAY_TIMEOUT_MS or ask the provider",
  },
  first_seen: {
    name: "unknown answer",
    protects: "the money: an answer that payrun cannot read may mean anything",
    opens:
      "a person finds out what it means and opens the lane; this answer does not stop it again",
  },
  doubt: {
    name: "ceiling of doubt",
    protects: "the money that nobody can say of whether it was paid: it grows no further",
    opens: "by itself, when half of the ceiling is left in doubt: the gateway is asked until then",
  },
  unended: {
    name: "nothing ends",
    protects:
      "the payouts that follow: the gateway takes all and nobody sees that it pays any of them",
    opens:
      "by itself, when an accepted payout settles or is declined; a person who opens it gives the gateway as long once more",
  },
  canary: {
    name: "canary",
    protects: "the rest of the batch, until its first payouts have settled",
    opens:
      "by itself, when all of them are settled; where one is not, a person releases the rest or cancels it",
  },
} as const satisfies Record<string, Words>;

export type Brake = keyof typeof BRAKES;
export const BRAKE_NAMES = Object.keys(BRAKES) as [Brake, ...Brake[]];

/** An answer of the gateway stops a lane without naming a brake: how it opens tells which. */
export const brakeOf = ({ brake, until }: Pick<LaneStop, "brake" | "until">): Brake =>
  brake ?? ({ person: "set_up", wait: "outage", answers: "doubt" } as const)[until];

const PROBES = 3;

/** How many trials in a row must get through before the lane opens. */
export const probesOf = (brake: Brake): number => (mustProve(brake) ? PROBES : 1);

/** A trial that ends in doubt says that these still have their cause. */
export const mustProve = (brake: Brake): boolean =>
  brake === "errors" || brake === "silence" || brake === "slow";

/** A lane with a slow gateway is tried with a new payout only while fewer of it are in doubt: each try may add one. */
export const SLOW_IN_DOUBT_MAX = 5;

/** Money of a lane that nobody can say of whether it was paid. */
export interface Doubt {
  readonly count: number;
  readonly minor: bigint;
}

/** Above either nothing new is sent (I13). */
export interface Ceiling {
  readonly count: number;
  /** Null: no ceiling on the amount. */
  readonly minor: bigint | null;
}

export const isAbove = (doubt: Doubt, { count, minor }: Ceiling): boolean =>
  doubt.count > count || (minor !== null && doubt.minor > minor);

/** A lane that has stopped opens at half: it would stop again with the next doubt otherwise. */
export const mayOpenAgain = (doubt: Doubt, { count, minor }: Ceiling): boolean =>
  !isAbove(doubt, { count: Math.floor(count / 2), minor: minor === null ? null : minor / 2n });
