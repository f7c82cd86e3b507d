/**
 * The reason why a payout is in its state, as stored in the ledger and shown to people: a code, and
 * after a colon the text of the gateway or the system. The code is stable; the sentence explains
 * its meaning and the next step.
 */
export const REASONS = {
  duplicate_arrived:
    "The gateway reports that the transaction code is already used (error 111), so an earlier, unanswered attempt must have reached the gateway. payrun is querying the status to confirm the amount.",
  duplicate_unexplained:
    "The gateway reports that the transaction code is already used (error 111), although none of payrun's attempts can have reached it. payrun is querying the status.",
  duplicate_matched:
    "The gateway already had this payout, with the same amount and currency, before payrun sent it, and has not paid it again. The file may have been paid before the ledger was restored, or another system may be using the same transaction codes.",
  refused_after_doubt:
    "One attempt did not receive a response, a later one was refused, and the gateway does not show the payout. The first attempt may still reach the gateway. Contact gateway support before you pay the row again.",
  refused_since_restore:
    "The gateway refused the payout. The ledger was restored and may have lost an earlier attempt, so payrun is querying the gateway for the status.",
  no_answer: "The gateway did not return a conclusive response. payrun is querying the status.",
  lease_expired:
    "The worker sending the payout did not record a response in time. payrun is querying the gateway for the status.",
  refused: "The gateway refused the payout.",
  deferred:
    "The gateway did not accept the payout this time. payrun will send it again with the same transaction code.",
  failed_at_gateway: "The gateway accepted the payout and later reported it as failed.",
  code_not_ours:
    "The gateway has another payout under this transaction code, with a different amount or currency. Before you pay the row under another code, ask gateway support who that payout belongs to.",
  duplicate_not_shown:
    "The gateway reports that the transaction code is already used, but does not show a payout with that code. The payout may have been paid. Contact gateway support before you do anything else.",
  duplicate_failed:
    "The gateway already had this payout before payrun sent it, and reports it as failed. The file may have been sent before the ledger was restored, or the transaction code may belong to another system. Contact gateway support before you pay the row under another code.",
  known_before_sent:
    "The gateway knows this transaction code, although payrun made no attempts, or every attempt was refused. payrun has not sent the payout again. Contact gateway support before you do anything else.",
  sent_before_restore:
    "The gateway has the payout, with the same amount and currency. It was sent before the ledger was restored, and its record was lost in the restore.",
  status_unanswered:
    "The payout was sent, but the gateway did not return a conclusive response and has not returned a readable status since. It may have been paid. Contact gateway support.",
  amount_mismatch:
    "The gateway's record of this transaction code has a different amount or currency. Do not pay the row again until the gateway has explained the difference.",
  manual_process:
    "The gateway has asked you to contact it about this payout (status 4, manual process).",
  unclear_status:
    "The gateway's response about this payout contradicts itself, or contains a status or an amount that payrun cannot read. Ask gateway support for the outcome.",
  two_records:
    "The gateway has more than one record for this transaction code, or has assigned it two gateway numbers. It may have paid the payout twice. Contact gateway support at once and quote the gateway numbers.",
  accepted_twice:
    "The gateway accepted two requests with this transaction code. It may have paid the payout twice. Contact gateway support at once.",
  contradiction:
    "The gateway changed its report after the payout had reached a final state. Ask gateway support whether the money came back or was never paid.",
  poison:
    "Three workers stopped while sending the payout, and the gateway does not show it. payrun will not send it again automatically.",
  not_found_at_gateway:
    "The gateway accepted the payout, but now reports that it has no record of the payout. Contact gateway support before you do anything else.",
  not_queried:
    "The ledger was restored, and the status of this payout could not be queried before the ledger was unfrozen. The payout may have been paid. Contact gateway support before you do anything else.",
  resend_window_over:
    "The gateway does not show the payout, and too much time has passed to send it again safely. Before you pay the row again, ask gateway support whether the gateway ever accepted it.",
  cannot_be_encoded:
    "A value in this row cannot be encoded in the gateway's message layout. This attempt was not sent.",
  content_changed:
    "The stored content differs from the approved content. This attempt was not sent.",
  overtaken:
    "This payout retries a declined one, and the gateway has since changed its report about the declined payout. payrun is not sending this payout. Ask gateway support which of the two will be paid.",
  paid_again_before_restore:
    "The gateway has a payout that retries this one. The ledger was restored and lost the record that this payout was declined. Do not pay this payout. Ask gateway support for the outcome of the other payout.",
  resolved_arrived:
    "The gateway did not clarify the outcome. According to another source, the money arrived.",
  resolved_not_arrived:
    "The gateway did not clarify the outcome. According to another source, no money left the account or the money came back.",
  returned_by_gateway:
    "The gateway reported the payout as completed, and later, in at least two responses, as failed or reversed. Check that the money is back in the merchant account.",
  cancelled: "Cancelled before it was sent.",
  held_back: "Held back by an operator. payrun does not send it until someone releases it.",
} satisfies Record<string, string>;

export type ReasonCode = keyof typeof REASONS;

/** Joins a reason code and the gateway's text, as stored. */
export const storedReason = (code: ReasonCode, said = ""): string =>
  said === "" ? code : `${code}: ${said}`;

/** Returns the text of the gateway or the system that is stored with a reason, or "". */
export const reasonDetail = (text: string | null): string =>
  text?.slice((reasonCode(text)?.length ?? 0) + 2) ?? "";

/** Formats a reason for people: its meaning, and the gateway's text. */
export function reasonText(text: string): string {
  const code = reasonCode(text);
  if (!code) return text;
  const said = text.slice(code.length + 2);
  return said === "" ? REASONS[code] : `${REASONS[code]} Details: ${said}`;
}

/** Formats a reason for lists: the gateway's text, or the first sentence of its meaning. */
export function causeText(text: string): string {
  const code = reasonCode(text);
  if (!code) return text;
  return reasonDetail(text) || (/^.+?[.](?= |$)/.exec(REASONS[code])?.[0] ?? REASONS[code]);
}

/** Returns the code of a stored reason. Null: no reason, or an unknown code. */
export const reasonCode = (text: string | null): ReasonCode | null => {
  const code = text?.split(":", 1)[0] ?? "";
  return Object.hasOwn(REASONS, code) ? (code as ReasonCode) : null;
};
