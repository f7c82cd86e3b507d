/** The differences between a batch and an earlier one, in display order. */

/**
 * An amount is unusual if it is this many times the account's earlier amount, or that fraction of
 * it.
 */
export const UNUSUAL_TIMES = 2;

export const DIFF_PARTS = {
  changed_account: "the name was in the other batch with another account, which is not in this one",
  unusual_amount: `at least ${UNUSUAL_TIMES} times what the account got in the other batch, or at most the same part of it`,
  new: "accounts that are not in the other batch",
  missing: "accounts of the other batch that are not in this one",
  other_amount: "another amount than in the other batch",
  same: "the same account and amount as in the other batch",
} as const;
export type DiffPart = keyof typeof DIFF_PARTS;
