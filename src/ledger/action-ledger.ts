import type { LedgerParts } from "#ledger/ledger-parts.ts";
import {
  type AppliedAction,
  applyAction,
  type ApplyOrder,
  type ApplyRefusal,
} from "#ledger/payout/action/apply.ts";
import {
  type AssignOrder,
  type AssignRefusal,
  assignPayouts,
} from "#ledger/payout/action/assign.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import { type ActionOrder, previewAction } from "#ledger/payout/action/preview.ts";
import {
  type ActionDecision,
  decideAction,
  type DecideRefusal,
} from "#ledger/payout/action/resolutions.ts";
import { err, type Result } from "#base/result.ts";

/** Functions for actions on many payouts. */
export interface ActionLedger {
  /**
   * Stores a preview of exactly the selected payouts.
   *
   * @throws TooManySelected
   */
  previewAction(order: Omit<ActionOrder, "at">): Promise<PayoutAction>;
  /**
   * Changes exactly the previewed payouts that still qualify. Applying an action twice changes
   * nothing the second time.
   */
  applyAction(order: Omit<ApplyOrder, "at">): Promise<Result<AppliedAction, ApplyRefusal>>;
  /** Assigns exactly the previewed payouts that still qualify, also while the ledger is frozen. */
  assignPayouts(order: Omit<AssignOrder, "at">): Promise<Result<PayoutAction, AssignRefusal>>;
  /**
   * Confirms or rejects all proposals of an action.
   *
   * @throws the refusal of the ledger: see runOrRefuse.
   */
  decideAction(
    decision: Omit<ActionDecision, "at">,
  ): Promise<Result<PayoutAction, DecideRefusal | "ledger_frozen">>;
}

/** Creates the functions for actions on many payouts. */
export const actionFunctions = ({
  sealer,
  now,
  inTransaction,
  inTrust,
}: LedgerParts): ActionLedger => ({
  previewAction: (order) =>
    inTransaction((transaction) => previewAction(transaction, sealer, { ...order, at: now() })),
  applyAction: async (order) =>
    (await inTrust((transaction) => applyAction(transaction, { ...order, at: now() }))) ??
    err("ledger_frozen"),
  assignPayouts: (order) =>
    inTransaction((transaction) => assignPayouts(transaction, { ...order, at: now() })),
  decideAction: async (decision) =>
    (await inTrust((transaction) => decideAction(transaction, { ...decision, at: now() }))) ??
    err("ledger_frozen"),
});
