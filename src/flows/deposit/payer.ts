import type { AuditAction } from "#integrity/audit-actions.ts";
import { referenceName } from "#deposit/requirements.ts";
import type { ReferenceOutcome } from "#deposit/outcome.ts";
import type { Attempt } from "#gateway/exchange.ts";
import type { DepositState } from "#deposit/lifecycle.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { queryDepositSoon } from "#flows/deposit/follow.ts";
import { sendDeposit } from "#flows/deposit/send.ts";
import { merchantOf } from "#flows/payout/lane/lane-merchant.ts";
import { claimTimeNow } from "#flows/payout/send.ts";
import { withSlot } from "#flows/request-slots.ts";
import type { Freeze, LedgerSteps } from "#ledger/ledger.ts";
import type { GivenAccount } from "#ledger/deposit/sealed-deposits.ts";
import { err, ok, type Result } from "#base/result.ts";

export type PayerRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: DepositState }
  | { readonly kind: "frozen"; readonly freeze: Freeze }
  /** The problem as text that completes "the …". */
  | { readonly kind: "refused"; readonly problem: string }
  /** Proven not taken, and worth another attempt. */
  | { readonly kind: "gateway_did_not_accept"; readonly problem: string };

interface PayerRequest {
  readonly code: string;
  readonly actor: string;
}

/**
 * Sends the account from which the payer pays: the second step of a KRW deposit. It is sent once:
 * if the answer is not known, the deposit's status is queried before the account can be sent again.
 */
export async function sendPayerAccount(
  { code, actor, account }: PayerRequest & { readonly account: GivenAccount },
  deps: DepositDeps,
): Promise<Result<true, PayerRefusal>> {
  const known = await deps.ledger.deposit.findDepositWork(code);
  if (!known) return err({ kind: "not_found" });
  const { state, seq } = known;
  if (state !== "awaiting_bank") return err({ kind: "wrong_state", state });
  const merchant = merchantOf(known.lane, deps);
  if (!merchant) return err({ kind: "refused", problem: "lane no longer has a merchant" });
  const freeze = await deps.ledger.integrity.verify();
  if (freeze) return err({ kind: "frozen", freeze });

  return withSlot(deps, async () => {
    const claimed = claimTimeNow(deps);
    const { worker, leaseMs } = deps;
    const depositor = { transactionCode: code, ...account };
    const attempt = await deps.ledger.transaction(async (transaction) => {
      const claim = { code, seq, actor, depositor, worker, keyId: merchant.keyId, leaseMs };
      const opened = await transaction.deposit.claimDeposit("send_account", claim);
      if (opened) await audited(transaction, "send_account", { code, actor }, deps);
      return opened;
    });
    if (!attempt) return err({ kind: "wrong_state", state: "requested" });
    await sendDeposit(attempt, claimed, deps);
    return ok(true);
  });
}

/**
 * Sends the payer's bank reference of the payment, and asks whether the gateway has found the
 * payment by it.
 */
export async function sendPayerReference(
  { code, actor, reference }: PayerRequest & { readonly reference: string },
  deps: DepositDeps,
): Promise<Result<true, PayerRefusal>> {
  const { ledger, worker } = deps;
  const known = await ledger.deposit.findDepositWork(code);
  if (!known) return err({ kind: "not_found" });
  const { currency } = known.money;
  const name = referenceName(currency, reference);
  if (!name.ok) return err({ kind: "refused", problem: `reference ${name.error}` });
  const merchant = merchantOf(known.lane, deps);
  if (!merchant) return err({ kind: "refused", problem: "lane no longer has a merchant" });

  return withSlot(deps, async () => {
    const attempt = await ledger.transaction(async (transaction) => {
      const claim = { code, reference, worker, keyId: merchant.keyId };
      const opened = await transaction.deposit.claimReference(claim);
      if (opened) await audited(transaction, "send_reference", { code, actor }, deps);
      return opened;
    });
    if (!attempt) return err({ kind: "wrong_state", state: known.state });
    const reply = await deps.gateway.submitReference({
      currency,
      transactionCode: code,
      reference,
    });
    const facts =
      reply.kind === "attempted"
        ? { ...reply.evidence, outcome: reply.outcome.kind }
        : { text: reply.text, outcome: "not_sent" };
    await ledger.deposit.storeDepositEvidence(attempt.depositId, "answer", attempt.number, facts);
    await queryDepositSoon(code, deps);
    return resultOf(reply);
  });
}

/**
 * Converts the reply. Doubt and a missing answer are not refusals: the status query that follows
 * shows whether the gateway has found the payment.
 */
function resultOf(reply: Attempt<ReferenceOutcome>): Result<true, PayerRefusal> {
  if (reply.kind === "not_encodable") return err({ kind: "refused", problem: reply.text });
  const { outcome } = reply;
  switch (outcome.kind) {
    case "declined":
      return err({ kind: "refused", problem: `gateway refused the reference: ${outcome.text}` });
    case "deferred":
      return err({
        kind: "gateway_did_not_accept",
        problem: `gateway did not accept the reference: ${outcome.text}`,
      });
    case "taken":
    case "duplicate":
    case "in_doubt":
      return ok(true);
  }
}

const audited = (
  transaction: LedgerSteps,
  action: AuditAction,
  { code, actor }: PayerRequest,
  { clock }: DepositDeps,
): Promise<void> =>
  transaction.integrity.appendAudit(new Date(clock.nowMs()), {
    actor,
    action,
    object: code,
    facts: {},
  });
