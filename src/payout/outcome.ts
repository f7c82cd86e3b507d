import type { Brake } from "#payout/brakes.ts";

/**
 * What one try to send a payout says about its money (specification, Errors; docs/gateway.md section 6).
 * There is no "failed": a failure does not say whether money moved.
 */
export type Outcome =
  /** The gateway took it. */
  | { readonly kind: "accepted" }
  /** Error 111: the gateway knows this code already. It says nothing about who sent it first. */
  | { readonly kind: "duplicate" }
  /** The gateway refused this payout, conclusively and for good. */
  | { readonly kind: "declined"; readonly code: string; readonly text: string }
  /** Proven not taken, and worth another try. `stop` names a cause that hits the whole lane. */
  | {
      readonly kind: "deferred";
      readonly code: string;
      readonly text: string;
      readonly stop: LaneStop | null;
    }
  /** Anything else. It may have been paid. `stop`: the gateway asks for a pause (HTTP 429). */
  | {
      readonly kind: "in_doubt";
      readonly code: string;
      readonly text: string;
      readonly stop?: LaneStop;
    };

/** Everything that an answer can say but that the gateway took it. */
export type Unaccepted = Exclude<Outcome, { readonly kind: "accepted" }>;

/**
 * Why a whole lane must stop. `wait`: try one payout again after a while (no balance, maintenance,
 * gateway out of reach). `person`: only somebody can mend it (wrong key, blocked address). `answers`: too many
 * payouts are in doubt; nothing new is sent until the gateway has been asked about them.
 */
export interface LaneStop {
  readonly until: "wait" | "person" | "answers";
  readonly reason: string;
  /** Without it the way in which it opens tells. */
  readonly brake?: Brake;
  /** How long the gateway asked to be left alone; without it the lane's own backoff counts. */
  readonly afterMs?: number;
}

/** What a status query says about a payout (specification, Transaction status record; docs/gateway.md section 7). */
export type StatusAnswer =
  | { readonly kind: "found"; readonly record: StatusRecord }
  /** A well-formed answer without a record of the code. Not a proof that it will never arrive (F37, F119). */
  | { readonly kind: "not_found"; readonly text: string }
  | Silence;

/** No answer, HTML, truncation: no evidence of anything. */
export interface Silence {
  readonly kind: "no_answer";
  readonly code: string;
  readonly text: string;
  /** The gateway asks to be left alone (HTTP 429), at least so long; 0: it does not say how long. */
  readonly afterMs?: number;
}

export interface StatusRecord {
  readonly transactionCode: string;
  /** `pending` 1, `completed` 2, `failed` 3, `manual` 4; `unclear` when the fields disagree or are unknown (F120). */
  readonly state: "pending" | "completed" | "failed" | "manual" | "unclear";
  /** The amount as the exact decimal text of the answer, never a float (F121). */
  readonly amount: string;
  readonly currency: string;
  /** The gateway's own number (`transaction_no`), where given. */
  readonly gatewayNumber: string | null;
  readonly fee: string | null;
  /** The gateway's numbers of all its records of the code, where they are more than one: it took the code more than once. */
  readonly numbers?: readonly string[];
  /** Of an unclear record: its words and numbers for the state, as the gateway wrote them. */
  readonly says?: string;
}

/** The record as a reason tells it. */
export const saidOf = (record: StatusRecord): string =>
  record.says
    ? `the gateway says ${record.says}, with ${sumOf(record)}`
    : `the gateway has ${sumOf(record)}`;

/** What a record lacks is why nobody can read it, and is said. */
function sumOf({ currency, amount }: StatusRecord): string {
  if (currency === "") return amount ? `${amount} without a currency` : "no amount and no currency";
  return amount ? `${currency} ${amount}` : `${currency} without an amount`;
}
