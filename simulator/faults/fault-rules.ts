import { z } from "zod";
import { seededRandom } from "./seeded-random.ts";
import {
  type AcceptFault,
  FAULT_OPERATIONS,
  FAULTS,
  type Fault,
  type FaultOperation,
} from "./faults.ts";

/**
 * One line of a faults file. All selectors given must match. A rule without selectors strikes every
 * payout.
 */
const FAULT_RULE = z.strictObject({
  fault: z.string().refine((name) => Object.hasOwn(FAULTS, name), {
    error: ({ input }) =>
      `unknown fault ${String(input)}; payrun simulator --list-faults prints all faults`,
  }),
  /** Faults that strike before, during or after acceptance; payouts by default. */
  operation: z.enum(FAULT_OPERATIONS).optional(),
  /**
   * Share of attempts struck, from 0 to 1. The dice depend on the seed, the code and the attempt's
   * number.
   */
  rate: z.number().min(0).max(1).optional(),
  /** The amount as written in the request. */
  amount: z.union([z.string(), z.number()]).transform(String).optional(),
  /** Part of the account name, case-insensitive. */
  name: z.string().min(1).optional(),
  /** The transaction code, or its beginning followed by `*`. */
  code: z.string().min(1).optional(),
  currency: z.string().min(1).optional(),
  /** The bank code of a payout as written in the request. */
  bank_code: z.string().min(1).optional(),
  /** Only the first n requests (or status queries) of a code. */
  first: z.int().min(1).optional(),
  /** Only requests after the first n of a code. */
  after: z.int().min(0).optional(),
  /** At most n strikes per code. */
  times: z.int().min(1).optional(),
  delay_ms: z.number().min(0).optional(),
});
export type FaultRule = z.infer<typeof FAULT_RULE>;

/**
 * All acceptance faults apply to payouts. Only some apply to the other endpoints that accept
 * requests.
 */
const ACCEPTS: Readonly<Record<FaultOperation, readonly AcceptFault[]>> = {
  payout: ["late", "other_payee", "race", "slow_store", "forget", "burn"],
  deposit: ["late", "other_payee"],
  krw_depositor: ["late"],
  reference: ["late"],
  balance: [],
};

/** A rule that can never strike is a mistake. */
export const FAULT_RULES = z.array(
  FAULT_RULE.refine(({ fault: name, operation = "payout" }) => {
    const fault = FAULTS[name];
    return fault?.at !== "accept" || ACCEPTS[operation].includes(fault.how);
  }, "this fault does not apply to this endpoint"),
);

export const LATE_ARRIVAL_MS = 2000;
export const SLOW_STORE_MS = 2000;

/** Returns whether this fault strikes the acceptance of a request in this way. */
export const isAccept = (strike: Strike | null, how: AcceptFault): boolean =>
  strike?.fault.at === "accept" && strike.fault.how === how;

/** Input of a rule. */
export interface Target {
  readonly code: string;
  readonly amount: string;
  readonly currency: string;
  /** Empty for payouts read back from the log, which stores no names. */
  readonly name: string;
  /** Only of a payout. Empty for payouts read back from the log. */
  readonly bankCode?: string;
  /** 1 for a code's first request (or first status query, or its callback). */
  readonly attempt: number;
}

export interface Strike {
  readonly name: string;
  readonly fault: Fault;
  readonly delayMs: number | null;
}

export interface FaultChooser {
  /** The first rule at the given places that strikes, or null. */
  strike(places: readonly Fault["at"][], target: Target, operation?: FaultOperation): Strike | null;
  replace(rules: readonly FaultRule[]): void;
}

/** Creates the chooser of faults, whose draws depend only on the seed. */
export function faultChooser(seed: number, initial: readonly FaultRule[]): FaultChooser {
  let rules = initial;
  let struck = new Map<string, number>();

  const hits = (rule: FaultRule, index: number, target: Target): boolean => {
    if (!selects(rule, target)) return false;
    if (rule.rate !== undefined) {
      const dice = seededRandom(seed, rule.fault, index, target.code, target.attempt);
      if (dice >= rule.rate) return false;
    }
    if (rule.times !== undefined) {
      const key = `${index} ${target.code}`;
      const count = struck.get(key) ?? 0;
      if (count >= rule.times) return false;
      struck.set(key, count + 1);
    }
    return true;
  };

  return {
    strike(places, target, operation = "payout") {
      for (const [index, rule] of rules.entries()) {
        const fault = FAULTS[rule.fault];
        if (
          fault &&
          isAbout(rule, fault, operation) &&
          places.includes(fault.at) &&
          hits(rule, index, target)
        ) {
          return { name: rule.fault, fault, delayMs: rule.delay_ms ?? null };
        }
      }
      return null;
    },
    replace(next) {
      rules = next;
      struck = new Map();
    },
  };
}

/**
 * Status queries and callbacks are the same for deposits and payouts; the other selectors
 * distinguish them.
 */
const isAbout = (rule: FaultRule, { at }: Fault, operation: FaultOperation): boolean =>
  at === "status" || at === "callback" || (rule.operation ?? "payout") === operation;

function selects(rule: FaultRule, target: Target): boolean {
  const { code, amount, currency, name, bankCode, attempt } = target;
  if (rule.first !== undefined && attempt > rule.first) return false;
  if (rule.after !== undefined && attempt <= rule.after) return false;
  if (rule.amount !== undefined && rule.amount !== amount) return false;
  if (rule.currency !== undefined && rule.currency !== currency) return false;
  if (rule.bank_code !== undefined && rule.bank_code !== bankCode) return false;
  if (rule.name !== undefined && !name.toLowerCase().includes(rule.name.toLowerCase())) {
    return false;
  }
  if (rule.code === undefined) return true;
  return rule.code.endsWith("*") ? code.startsWith(rule.code.slice(0, -1)) : rule.code === code;
}
