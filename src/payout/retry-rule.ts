import { reasonDetail, reasonCode } from "#payout/reasons.ts";

/**
 * How a declined payout may be retried. `new_details`: the gateway refused its content, so it is
 * never retried unchanged. `decision`: the gateway gave no reason that payrun knows, so a person
 * decides whether to retry it unchanged, and gives a reason.
 */
export const RETRY_RULES = ["new_details", "decision"] as const;
export type RetryRule = (typeof RETRY_RULES)[number];

/** The rule for a declined payout, and the columns of its row that the refusal is about. */
export interface RetryCondition {
  readonly rule: RetryRule;
  /** At least one of these columns must change. Empty: any change is sufficient. */
  readonly columns: readonly string[];
}

/**
 * The refusals of docs/reference/gateway.md 6.2 that concern the content of a row, by the recorded
 * text. Refusals with a temporary cause are not here: such a payout is not declined, and payrun
 * sends it again under the same transaction code.
 */
// biome-ignore format: the columns are the point
const REFUSED_CONTENT: Readonly<Record<string, readonly string[]>> = {
  "a required parameter is missing": [],
  "invalid IFSC":                    ["ifsc_code"],
  "bank not found":                  ["bank_code", "bank_name"],
  "the amount cannot have decimals": ["transaction_amount"],
};

/**
 * Returns how a declined payout may be retried.
 *
 * @param reason the stored reason of the payout.
 */
export function retryConditionOf(reason: string | null): RetryCondition {
  const said = reasonCode(reason) === "refused" ? reasonDetail(reason) : "";
  const columns = Object.hasOwn(REFUSED_CONTENT, said) ? REFUSED_CONTENT[said] : undefined;
  return columns === undefined
    ? { rule: "decision", columns: [] }
    : { rule: "new_details", columns };
}

/**
 * Maximum number of batches that pay a row again, including cancelled ones. A frozen ledger
 * queries one transaction code for each such batch.
 */
export const RETRIES_MAX = 2;

/**
 * The result of the retries of a declined or returned payout. `none`: no retry has one yet, so the
 * amount of this payout is unpaid. `paid`: a retry has paid it.
 */
export const RETRY_RESULTS = ["none", "paid"] as const;
export type RetryResult = (typeof RETRY_RESULTS)[number];
