import { queryByHand } from "#flows/payout/query-by-hand.ts";
import type { PayDeps } from "#flows/deps.ts";
import { type CallbackHint, openCallback } from "#gateway/callback.ts";
import { callbackJob } from "#jobs/callback.ts";
import { done, type JobResult } from "#jobs/verdict.ts";
import { UNREAD_CALLBACK } from "#base/log.ts";

/** Origin of the code in a callback: `ours` is in this ledger, `stray` is not. */
export type Received = "stray" | "ours";

/**
 * Stores the content of a callback about a deposit and requests a status query. Returns false if
 * the code is not a deposit of this ledger.
 */
export type ReceiveDepositCallback = (
  code: string,
  facts: Readonly<Record<string, unknown>>,
) => Promise<boolean>;

/**
 * Decrypts and reads a callback. Returns null if it is not a valid callback of one of our
 * merchants. It does not access the ledger, so a flood of forged callbacks does not delay genuine
 * ones.
 */
export function readCallback(
  body: unknown,
  { keyring, log }: Pick<PayDeps, "keyring" | "log">,
): CallbackHint | null {
  const hint = openCallback(body, keyring);
  if (!hint) log.warn({}, UNREAD_CALLBACK);
  return hint;
}

/**
 * Stores the content of a callback and requests a status query for its payout or deposit. The
 * callback itself decides nothing: only the cipher authenticates it, and the cipher has no MAC
 * (F70, F111, F112).
 */
export async function handleCallback(
  hint: CallbackHint,
  { ledger, hints, log }: Pick<PayDeps, "ledger" | "hints" | "log">,
  hearOfDeposit: ReceiveDepositCallback = async () => false,
): Promise<Received> {
  const { transactionCode } = hint;
  const known =
    hint.kind === "payout" ? await ledger.payout.findStatusQuery(transactionCode) : null;
  if (!known && (await hearOfDeposit(transactionCode, { ...hint }))) return "ours";
  await ledger.payout.recordCallback({ payoutId: known?.payoutId ?? null, facts: { ...hint } });
  if (!known) {
    log.warn(
      { transaction_code: transactionCode },
      "callback for a code that is not in the ledger",
    );
    return "stray";
  }
  await ledger.payout.makeStatusQueryDue(known.payoutId);
  await hints.add(callbackJob, [{ v: 1 as const, transactionCode }]);
  return "ours";
}

/** Runs the job created by a callback: queries the gateway, whose answer decides. */
export async function followCallback(
  { transactionCode }: { readonly transactionCode: string },
  deps: PayDeps,
): Promise<JobResult> {
  await queryByHand(transactionCode, deps);
  return done;
}
