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
  doubt: {
    name: "ceiling of doubt",
    protects: "the money that nobody can say of whether it was paid: it grows no further",
    opens: "by itself, when half of the ceiling is left in doubt: the gateway is asked until then",
  },
} as const satisfies Record<string, Words>;

export type Brake = keyof typeof BRAKES;
export const BRAKE_NAMES = Object.keys(BRAKES) as [Brake, ...Brake[]];

/** An answer of the gateway stops a lane without naming a brake: how it opens tells which. */
export const brakeOf = ({ brake, until }: Pick<LaneStop, "brake" | "until">): Brake =>
  brake ?? ({ person: "set_up", wait: "outage", answers: "doubt" } as const)[until];

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
