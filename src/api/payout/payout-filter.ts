import { z } from "zod";
import { LineNumber, Timestamp } from "#api/app/shapes.ts";
import { STATES, type PayoutState } from "#payout/payout-lifecycle.ts";
import { RETRY_RESULTS } from "#payout/retry-rule.ts";

/** The state of a payout. */
export const StateName = z.enum(Object.keys(STATES) as [PayoutState, ...PayoutState[]]);
/**
 * The state of a payout in filters and sums, which separate the payouts of batches that were not
 * sent for approval.
 */
export const ListedStateName = z.enum([...StateName.options, "draft"]);
/** The state of a payout in filters, which can also find those that exact duplicates block. */
const FilteredStateName = z.enum([...ListedStateName.options, "blocked"]);
/** The order of a list of payouts. Amounts are compared as numbers, whatever their currency. */
export const PayoutSortName = z
  .enum(["newest", "oldest", "changed", "largest", "smallest"])
  .default("newest");

const text = (max: number) => z.string().trim().min(1).max(max);
const DecimalText = z.string().regex(/^\d{1,15}(\.\d{1,8})?$/, "an amount such as 1200 or 99.50");

/** Filters for payouts. All must match. */
export const PayoutFilter = z.strictObject({
  /** Text as in the search box. It does not find full account numbers. */
  text: text(200).optional(),
  batch: text(40).optional(),
  /** Line number in the file; requires `batch`. */
  line: LineNumber.min(1).optional(),
  /** A transaction code or its beginning. */
  code: text(64).optional(),
  /**
   * One or more, separated by commas. `draft`: awaiting approval in a batch that was not sent for
   * approval, which `awaiting_approval` leaves out. `blocked`: awaiting approval in a batch that
   * exact duplicates block, which `awaiting_approval` includes unless `blocked` is `none`.
   */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(FilteredStateName))
    .optional(),
  /** `none`: without drafts. Ignored with `state`. */
  drafts: z.enum(["none"]).optional(),
  /** `none`: the state `awaiting_approval` does not include `blocked`. */
  blocked: z.enum(["none"]).optional(),
  /** A reason code, or with the gateway's text, such as `refused: bank not found`. */
  reason: text(300).optional(),
  /**
   * `changed`: another amount than in the previous batch, or an account that the previous batch did
   * not pay; requires `batch`.
   */
  compared: z.enum(["changed"]).optional(),
  /**
   * Of declined and returned payouts. `none`: those that no retry has paid, without those whose
   * retry failed as well. `paid`: those that a retry has paid.
   */
  retry_result: z.enum(RETRY_RESULTS).optional(),
  currency: text(10).toUpperCase().optional(),
  lane: text(64).optional(),
  /** Without decimals, every amount with this whole part. */
  amount: DecimalText.optional(),
  amount_from: DecimalText.optional(),
  amount_to: DecimalText.optional(),
  /** A sealed account from `POST /api/account-filters`, because proxies log request addresses. */
  account: text(500).optional(),
  account_last4: z.string().trim().length(4).optional(),
  /** Words of the beneficiary's name or their beginnings, in any order, without accents. */
  name: text(200).optional(),
  reference: text(200).optional(),
  /** A gateway number or its beginning. */
  gateway_number: text(128).optional(),
  /** The merchant's ID of the user, exactly as in the file. */
  user_id: text(128).optional(),
  /** "-" for payouts without a bank. */
  bank: text(100).optional(),
  created_from: Timestamp.optional(),
  created_to: Timestamp.optional(),
  sent_from: Timestamp.optional(),
  sent_to: Timestamp.optional(),
  settled_from: Timestamp.optional(),
  settled_to: Timestamp.optional(),
  changed_from: Timestamp.optional(),
  changed_to: Timestamp.optional(),
});
export type PayoutFilter = z.output<typeof PayoutFilter>;
