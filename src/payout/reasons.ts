/**
 * The reason why a payout is in its state, as stored in the ledger and shown to people: a code, and
 * after a colon the text of the gateway or the system. The code is stable; the sentence explains
 * its meaning and the next step.
 */
export const REASONS = {
  duplicate_arrived:
    "The gateway reports the transaction code as used (error 111) after an attempt without an answer: that attempt arrived. payrun is confirming its amount.",
  duplicate_unexplained:
    "The gateway reports the transaction code as used (error 111), although none of our attempts can have arrived. payrun is querying its status.",
  duplicate_matched:
    "The gateway had this payout before payrun sent it, with the same amount and currency, and has not paid it again. Either its file was paid before the ledger was restored, or another system sends the same kind of transaction codes.",
  refused_after_doubt:
    "One attempt got no answer, a later one was refused, and the gateway does not show the payout. The first attempt may still arrive: ask the gateway's support before you pay it again.",
  refused_since_restore:
    "The gateway refused it. Because the ledger was restored and may have lost an earlier attempt, payrun is querying the gateway for the payout.",
  no_answer: "Sent without a conclusive answer. payrun is querying the gateway for its status.",
  lease_expired:
    "The worker that was sending it recorded no answer in time. payrun is querying the gateway for its status.",
  refused: "The gateway refused it.",
  deferred:
    "The gateway did not accept it this time. payrun will send it again with the same transaction code.",
  failed_at_gateway: "The gateway accepted it and later reported it as failed.",
  code_not_ours:
    "The gateway has a different payout under this transaction code: the amount or currency differs from ours. Ask the gateway's support whose it is before you pay the row under another code.",
  duplicate_not_shown:
    "The gateway refuses the transaction code as used but shows no payout under it. It may have been paid: ask the gateway's support before you do anything else.",
  duplicate_failed:
    "The gateway had this payout before payrun sent it, and reports it as failed. Either its file was sent before the ledger was restored, or the transaction code belongs to another system. Ask the gateway's support before you pay the row under another code.",
  known_before_sent:
    "The gateway knows this transaction code, although every attempt of ours was refused or none was made. payrun has not sent it again. Ask the gateway's support before you do anything else.",
  sent_before_restore:
    "The gateway has it, with the same amount and currency. It was sent before the ledger was restored, and the restore lost the record of it.",
  status_unanswered:
    "Sent without a conclusive answer, and the gateway has given no readable status answer since. It may have been paid: ask the gateway's support.",
  amount_mismatch:
    "The gateway's record of this transaction code has a different amount or currency. Do not pay it again until the gateway has explained the difference.",
  manual_process:
    "The gateway asks you to contact it about this payout (status 4, manual process).",
  unclear_status:
    "The gateway's answer about this payout contradicts itself, or contains a status or an amount that payrun cannot read. Ask the gateway's support for the outcome.",
  two_records:
    "The gateway has more than one record of this transaction code, or has given it two numbers: it may have paid it twice. Contact the gateway at once and quote these numbers.",
  accepted_twice:
    "Two requests with this transaction code were both answered as accepted: the gateway may have paid it twice. Contact the gateway at once.",
  contradiction:
    "The gateway changed its report after the payout had reached a final state. Ask the gateway's support whether the money came back or was never paid.",
  poison:
    "Three workers stopped while they were sending it, and the gateway does not show it. payrun does not send it again automatically.",
  not_found_at_gateway:
    "The gateway accepted it and now reports that it does not know it. Ask the gateway's support before you do anything else.",
  not_queried:
    "The ledger was restored, and the status of this payout could not be queried before the ledger was unfrozen. It may have been paid: ask the gateway's support before you do anything else.",
  resend_window_over:
    "The gateway does not show it, and too much time has passed to send it again safely. Ask the gateway's support whether it ever accepted the payout before you pay it again.",
  cannot_be_encoded:
    "The gateway's message layout cannot carry a value of this row. This attempt was not sent.",
  content_changed:
    "The stored content differs from the approved content. This attempt was not sent.",
  overtaken:
    "It retries a declined payout, and the gateway has since changed its report about that one. It is not sent: ask the gateway's support which of the two it pays.",
  paid_again_before_restore:
    "The gateway has a payout that retries this one: the ledger was restored and lost the record that this one was declined. Do not pay it: ask the gateway's support for the outcome of the other payout.",
  resolved_arrived:
    "The gateway did not clarify the outcome. According to information from outside the gateway, the money arrived.",
  resolved_not_arrived:
    "The gateway did not clarify the outcome. According to information from outside the gateway, no money left or the money came back.",
  cancelled: "Cancelled before it was sent.",
} satisfies Record<string, string>;

export type ReasonCode = keyof typeof REASONS;

export const reason = (code: ReasonCode, said = ""): string =>
  said === "" ? code : `${code}: ${said}`;

/** Returns the text of the gateway or the system that is stored with a reason, or "". */
export const reasonSaid = (text: string | null): string =>
  text?.slice((reasonCode(text)?.length ?? 0) + 2) ?? "";

/** Formats a reason for people: its meaning, and the gateway's text. */
export function reasonText(text: string): string {
  const code = reasonCode(text);
  if (!code) return text;
  const said = text.slice(code.length + 2);
  return said === "" ? REASONS[code] : `${REASONS[code]} Details: ${said}`;
}

export const reasonCode = (text: string | null): ReasonCode | null => {
  const code = text?.split(":", 1)[0] ?? "";
  return Object.hasOwn(REASONS, code) ? (code as ReasonCode) : null;
};
