/** The texts of one circuit breaker, which are shown everywhere. Each stop has its own reason. */
interface Words {
  readonly name: string;
  /** The payouts or party that it protects, and from which harm. */
  readonly protects: string;
  readonly opens: string;
}

/** The circuit breakers. Programs use the keys, so they never change. */
export const CIRCUIT_BREAKERS = {
  set_up: {
    name: "configuration error",
    protects:
      "the rows, which the gateway would all refuse for a reason unrelated to their content",
    opens: "manually, after a person has fixed the cause",
  },
  outage: {
    name: "gateway unavailable",
    protects: "the gateway, from repeated attempts that would fail anyway",
    opens:
      "automatically: payrun sends one payout at a time, and restarts the lane after the first success",
  },
  balance: {
    name: "insufficient balance",
    protects:
      "the rows and the gateway, which would refuse every attempt until the account has sufficient funds",
    opens:
      "automatically: payrun queries the balance, sends one payout at a time unless the balance is too low, and restarts the lane after the first success",
  },
  errors: {
    name: "error rate",
    protects: "the next payouts, which might also end up in doubt",
    opens:
      "automatically: payrun sends one payout at a time, and restarts the lane after three conclusive responses in a row",
  },
  silence: {
    name: "gateway silence",
    protects: "the next payouts, because their outcome would be unknown",
    opens:
      "automatically: payrun sends one payout at a time, and restarts the lane after three conclusive responses in a row",
  },
  slow: {
    name: "slow gateway",
    protects:
      "the next payouts, which would be left in doubt because responses arrive after the timeout",
    opens:
      "automatically: payrun sends one payout at a time, and restarts the lane after three conclusive responses in a row; raise GATEWAY_TIMEOUT_MS or contact the provider",
  },
  unknown_answer: {
    name: "unknown response",
    protects: "your money, because an unknown response could mean anything",
    opens:
      "manually, after a person has found out what the response means; the same response will not stop the lane again",
  },
  in_doubt: {
    name: "in-doubt limit",
    protects: "your money, by limiting the amount in doubt",
    opens: "automatically, once status queries have reduced the payouts in doubt to half the limit",
  },
  no_final_state: {
    name: "no final states",
    protects:
      "the next payouts, because the gateway is accepting payouts but not reporting their results",
    opens:
      "automatically, when an accepted payout settles or is declined; restarting the lane manually also restarts the period",
  },
  canary: {
    name: "canary",
    protects: "the rest of the batch until its first payouts have settled",
    opens:
      "automatically, when the first payouts have settled; otherwise, a person releases or cancels the rest",
  },
} as const satisfies Record<string, Words>;

export type CircuitBreaker = keyof typeof CIRCUIT_BREAKERS;
export const CIRCUIT_BREAKER_NAMES = Object.keys(CIRCUIT_BREAKERS) as [
  CircuitBreaker,
  ...CircuitBreaker[],
];

/**
 * Returns the circuit breaker of a stop. A gateway answer stops a lane without naming one; the way
 * in which the lane reopens identifies it.
 */
export const circuitBreakerOf = ({
  breaker,
  until,
}: Pick<LaneStop, "breaker" | "until">): CircuitBreaker =>
  breaker ?? ({ person: "set_up", wait: "outage", answers: "in_doubt" } as const)[until];

const PROBES = 3;

/** Number of consecutive trial payouts that must get through before the lane opens. */
export const probesOf = (breaker: CircuitBreaker): number =>
  doesDoubtReopen(breaker) ? PROBES : 1;

/** Returns whether a trial payout that ends in doubt shows that the cause of the stop persists. */
export const doesDoubtReopen = (breaker: CircuitBreaker): boolean =>
  breaker === "errors" || breaker === "silence" || breaker === "slow";

/**
 * A lane with a slow gateway is tried with a new payout only while fewer than this are in doubt.
 * Each trial may add one.
 */
export const SLOW_IN_DOUBT_MAX = 5;

/** The payouts of a lane whose outcome is unknown: their number and total amount. */
export interface InDoubtTotal {
  readonly count: number;
  readonly minor: bigint;
}

/** The in-doubt limit of a lane. Above either value no new payout is sent (I13). */
export interface InDoubtLimit {
  readonly count: number;
  /** Null: no limit on the amount. */
  readonly minor: bigint | null;
}

/** Returns whether the payouts in doubt exceed the limit, by count or by amount. */
export const isAboveLimit = (doubt: InDoubtTotal, { count, minor }: InDoubtLimit): boolean =>
  doubt.count > count || (minor !== null && doubt.minor > minor);

/**
 * Returns whether a stopped lane may open again, which requires half of the limit. Otherwise it
 * would stop again at the next payout in doubt.
 */
export const mayReopen = (doubt: InDoubtTotal, { count, minor }: InDoubtLimit): boolean =>
  !isAboveLimit(doubt, { count: Math.floor(count / 2), minor: minor === null ? null : minor / 2n });

/**
 * The reason why a whole lane must stop. `wait`: try one payout again after a while (no balance,
 * maintenance, gateway unreachable). `person`: only a person can fix it (wrong key, blocked
 * address). `answers`: too many payouts are in doubt, and no new one is sent until their status has
 * been queried.
 */
export interface LaneStop {
  readonly until: "wait" | "person" | "answers";
  readonly reason: string;
  /** If absent, the way in which the lane reopens identifies the circuit breaker. */
  readonly breaker?: CircuitBreaker;
  /**
   * Pause that the gateway asked for, in milliseconds. If absent, the lane's own backoff applies.
   */
  readonly afterMs?: number;
}
