import { askByHand } from "#flows/ask-by-hand.ts";
import type { PayDeps } from "#flows/deps.ts";
import { type CallbackHint, openCallback } from "#gateway/callback.ts";
import { callbackJob } from "#jobs/callback.ts";
import { done, type Verdict } from "#jobs/verdict.ts";
import { UNREAD_CALLBACK } from "#log.ts";

/** What a callback was: one about a code that is not in the ledger, or one of ours. */
export type Received = "stray" | "ours";

/** Keeps what was said of a deposit and asks for a question about it; false: the code is no deposit of ours. */
export type HearOfDeposit = (
  code: string,
  facts: Readonly<Record<string, unknown>>,
) => Promise<boolean>;

/**
 * What a callback says; null: it is no clean one of our merchants. No ledger is asked, so that a flood of forged ones keeps
 * no genuine one waiting.
 */
export function hintIn(
  body: unknown,
  { keyring, log }: Pick<PayDeps, "keyring" | "log">,
): CallbackHint | null {
  const hint = openCallback(body, keyring);
  if (!hint) log.warn({}, UNREAD_CALLBACK);
  return hint;
}

/**
 * Keeps what a callback said and asks for a question about its payout or deposit. The callback decides nothing: nothing but the
 * cipher authenticates it, and the cipher has no MAC (F70, F111, F112).
 */
export async function receiveHint(
  hint: CallbackHint,
  { ledger, hints, log }: Pick<PayDeps, "ledger" | "hints" | "log">,
  hearOfDeposit: HearOfDeposit = async () => false,
): Promise<Received> {
  const { transactionCode } = hint;
  const known = hint.kind === "payout" ? await ledger.questionAbout(transactionCode) : null;
  if (!known && (await hearOfDeposit(transactionCode, { ...hint }))) return "ours";
  await ledger.recordCallback({ payoutId: known?.payoutId ?? null, facts: { ...hint } });
  if (!known) {
    log.warn(
      { transaction_code: transactionCode },
      "callback for a code that is not in the ledger",
    );
    return "stray";
  }
  await ledger.askNow(known.payoutId);
  await hints.add(callbackJob, [{ v: 1 as const, transactionCode }]);
  return "ours";
}

/** The job behind a callback: asks the gateway, whose answer decides. */
export async function followCallback(
  { transactionCode }: { readonly transactionCode: string },
  deps: PayDeps,
): Promise<Verdict> {
  await askByHand(transactionCode, deps);
  return done;
}
