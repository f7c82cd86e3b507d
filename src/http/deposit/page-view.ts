import type { DepositState } from "#deposit/lifecycle.ts";
import { type DepositReason, depositReasonCode } from "#deposit/reasons.ts";
import type { Deposit } from "#ledger/deposit/deposits.ts";
import { amountOf } from "#money/format.ts";
import { type PayView, type Stage } from "#deposit/page/view.ts";
import { acceptsReference } from "#deposit/requirements.ts";

interface Known {
  readonly deposit: Deposit;
  readonly isReferenceGiven: boolean;
  readonly nowMs: number;
}

/**
 * The display to the payer in each state. Money is called received only after the gateway has
 * reported the deposit completed.
 */
const STAGES: Readonly<Record<DepositState, (known: Known) => Stage>> = {
  requested: () => ({ kind: "preparing" }),
  in_doubt: () => ({ kind: "checking" }),
  awaiting_bank: ({ deposit: { banks, reason } }) => ({
    kind: "bank",
    banks: banks ?? [],
    notice: noticeOf(depositReasonCode(reason)),
  }),
  awaiting_payment: payOf,
  completed: ({ deposit: { paid, payable, money } }) => ({
    kind: "completed",
    paid: paid && amountOf(paid),
    asked: amountOf(payable ?? money),
  }),
  expired: (known) => ({ kind: "expired", payerReference: payerReferenceIn(known) }),
  declined: () => ({ kind: "declined" }),
  manual: () => ({ kind: "byHand" }),
  resolved: () => ({ kind: "closed" }),
};

function noticeOf(reason: DepositReason | null): "notTaken" | "notSeen" | null {
  if (reason === "account_not_seen") return "notSeen";
  return reason === "account_not_accepted" || reason === "cannot_be_encoded" ? "notTaken" : null;
}

/** Returns the part of a deposit that its payer may see. */
export const payViewOf = (known: Known, merchant: string | null): PayView => ({
  code: known.deposit.code,
  requested: amountOf(known.deposit.money),
  merchant,
  stage: STAGES[known.deposit.state](known),
});

function payOf(known: Known): Stage {
  const { money, payable, destination, expiry } = known.deposit;
  const payerReference = payerReferenceIn(known);
  const endMs = expiry?.at?.getTime() ?? null;
  if (endMs !== null && endMs <= known.nowMs) return { kind: "late", payerReference };
  if (destination === null) return { kind: "untold" };
  return {
    kind: "pay",
    amount: amountOf(payable ?? money),
    destination,
    expiry: expiry && { at: expiry.text, timezone: expiry.zone, atMs: endMs },
    payerReference,
  };
}

function payerReferenceIn({ deposit: { money }, isReferenceGiven }: Known) {
  const { currency } = money;
  return acceptsReference(currency) ? { currency, isGiven: isReferenceGiven } : null;
}
