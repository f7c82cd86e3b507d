import type { LaneStop } from "#payout/circuit-breakers.ts";

/**
 * The outcome of one attempt to send a payout, with regard to its money (specification, Errors;
 * gateway.md section 6). There is no "failed": a failure does not show whether money moved.
 */
export type Outcome =
  /** The gateway accepted it. */
  | { readonly kind: "accepted" }
  /** Error 111: the gateway already knows this code. It does not show who sent it first. */
  | { readonly kind: "duplicate" }
  /** The gateway refused this payout conclusively and permanently. */
  | { readonly kind: "declined"; readonly code: string; readonly text: string }
  /** Proven not accepted, and worth another attempt. `stop`: the cause affects the whole lane. */
  | {
      readonly kind: "deferred";
      readonly code: string;
      readonly text: string;
      readonly stop: LaneStop | null;
    }
  /** Everything else. It may have been paid. `stop`: the gateway asks for a pause (HTTP 429). */
  | {
      readonly kind: "in_doubt";
      readonly code: string;
      readonly text: string;
      readonly stop?: LaneStop;
    };

/** Every outcome except acceptance. */
export type NotAcceptedOutcome = Exclude<Outcome, { readonly kind: "accepted" }>;
/**
 * The content of an answer to a status query about a payout (specification, Transaction status
 * record; docs/reference/gateway.md section 7).
 */
export type StatusAnswer =
  | { readonly kind: "found"; readonly record: StatusRecord }
  /**
   * A well-formed answer without a record of the code. It does not prove that the code will never
   * arrive (F37, F119).
   */
  | { readonly kind: "not_found"; readonly text: string }
  | NoStatusAnswer;

/** No answer, HTML, or a truncated answer: evidence of nothing. */
export interface NoStatusAnswer {
  readonly kind: "no_answer";
  readonly code: string;
  readonly text: string;
  /**
   * Minimum pause in milliseconds that the gateway asks for (HTTP 429). 0: it does not specify one.
   */
  readonly afterMs?: number;
}

export interface StatusRecord {
  readonly transactionCode: string;
  /**
   * `pending` 1, `completed` 2, `failed` 3, `manual` 4; `reversed` for a word that says that money
   * came back; `unclear` if the fields disagree or are unknown (F120).
   */
  readonly state: "pending" | "completed" | "failed" | "manual" | "reversed" | "unclear";
  /** The amount as the exact decimal text of the answer, never a float (F121). */
  readonly amount: string;
  readonly currency: string;
  /** The gateway number (`transaction_no`). Null: not given. */
  readonly gatewayNumber: string | null;
  readonly fee: string | null;
  /**
   * The gateway numbers of all records of the code, if there are several: it accepted the code more
   * than once.
   */
  readonly numbers?: readonly string[];
  /** Number of listed records of the code without a gateway number, if several are listed. */
  readonly unnumbered?: number;
  /** For an unclear record: its words and numbers for the state, as the gateway wrote them. */
  readonly says?: string;
}

/** Formats the record for a reason. */
export const statusRecordText = (record: StatusRecord): string =>
  record.says
    ? `the gateway reports ${record.says}, with ${recordAmountText(record)}`
    : `the gateway reports ${recordAmountText(record)}`;

/** A missing value is why the record cannot be read, so it is named. */
function recordAmountText({ currency, amount }: StatusRecord): string {
  if (currency === "") return amount ? `${amount} without a currency` : "no amount and no currency";
  return amount ? `${currency} ${amount}` : `${currency} without an amount`;
}
