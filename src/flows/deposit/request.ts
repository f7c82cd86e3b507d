import type { DepositDetails } from "#deposit/deposit.ts";
import { findDetailFaults, isDepositCurrency } from "#deposit/requirements.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { sendDeposit } from "#flows/deposit/send.ts";
import { claimTimeNow } from "#flows/payout/send.ts";
import { withSlot } from "#flows/request-slots.ts";
import { newDepositCode } from "#base/ids.ts";
import type { Freeze } from "#ledger/ledger.ts";
import { unitOf } from "#money/currency.ts";
import { parseMoney } from "#money/parse.ts";
import { laneOf } from "#payout/payout.ts";
import { err, ok, type Result } from "#base/result.ts";

/** A request to have a payer pay an amount. */
export interface DepositRequest {
  readonly currency: string;
  /** Exact decimal text. */
  readonly amount: string;
  readonly details: DepositDetails;
  readonly paymentCode: string | null;
  readonly reference: string | null;
  /**
   * Idempotency key: a request with the same name creates no second deposit. Null: the request has
   * no name.
   */
  readonly request: string | null;
  readonly actor: string;
}

export type DepositRefusal =
  | { readonly kind: "frozen"; readonly freeze: Freeze }
  /** The request of this name was for another payer, currency or amount. */
  | { readonly kind: "other_request" }
  | {
      readonly kind: "refused";
      readonly faults: readonly { readonly field: string; readonly problem: string }[];
    };

/**
 * Records a deposit and requests it from the gateway, once. Returns its code. The ledger holds the
 * result; without an answer the deposit's status is queried, and it is never requested under
 * another code.
 */
export async function requestDeposit(
  wish: DepositRequest,
  deps: DepositDeps,
): Promise<Result<string, DepositRefusal>> {
  const { currency, details, reference, request, actor } = wish;
  const fault = (field: string, problem: string) =>
    err({ kind: "refused", faults: [{ field, problem }] } as const);
  const unit = unitOf(currency);
  if (!isDepositCurrency(currency) || !unit) {
    return fault("currency", "is not accepted for deposits by the gateway");
  }
  const merchant = deps.keyring.forCurrency(currency);
  if (!merchant) return fault("currency", "has no configured merchant");
  const money = parseMoney(wish.amount, unit);
  if (!money.ok) {
    const digits = Math.min(unit.minorDigits, unit.gatewayDigits);
    const needed = `an amount above zero with at most ${digits} decimals`;
    return fault("amount", `is ${wish.amount}, but ${currency} requires ${needed}`);
  }
  const paymentCode = wish.paymentCode ?? merchant.paymentCode;
  if (!paymentCode) return fault("payment_code", "is missing, and the merchant has no default");
  const faults = findDetailFaults(currency, details);
  if (faults.length > 0) return err({ kind: "refused", faults });
  const freeze = await deps.ledger.integrity.verify();
  if (freeze) return err({ kind: "frozen", freeze });

  return withSlot(deps, async () => {
    const claimed = claimTimeNow(deps);
    const made = await deps.ledger.deposit.insertDeposit({
      order: {
        transactionCode: newDepositCode(),
        money: money.value,
        details,
        paymentCode,
        callbackUrl: deps.callbackUrlOf(merchant.merchantCode),
      },
      lane: laneOf(merchant.merchantCode, currency),
      reference,
      request,
      actor,
      at: new Date(claimed.wallMs),
      worker: deps.worker,
      keyId: merchant.keyId,
      leaseMs: deps.leaseMs,
    });
    if (made === "other_request") return err({ kind: "other_request" });
    const { code, attempt } = made;
    if (attempt) await sendDeposit(attempt, claimed, deps);
    return ok(code);
  });
}
