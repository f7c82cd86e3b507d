/** The differences between a batch and an earlier one, in display order. */

/**
 * An amount is unusual if it is this many times the account's earlier amount, or that fraction of
 * it.
 */
export const UNUSUAL_FACTOR = 2;

export const COMPARISON_PARTS = {
  changed_account: "same name, but a different account than in the other batch",
  unusual_amount: `at least ${UNUSUAL_FACTOR} times the account's amount in the other batch, or at most 1/${UNUSUAL_FACTOR} of it`,
  new: "not in the other batch",
  missing: "only in the other batch",
  other_amount: "a different amount than in the other batch",
  same: "same account and amount as in the other batch",
} as const;
export type ComparisonPart = keyof typeof COMPARISON_PARTS;
