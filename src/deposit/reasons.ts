/**
 * The reason for the state of a deposit, as stored in the ledger and shown to people: a code and,
 * after a colon, the text of the gateway or the system. The code is stable; the sentence states its
 * meaning and the next step.
 */
export const DEPOSIT_REASONS = {
  no_answer: "The gateway did not return a conclusive response. payrun is querying the status.",
  lease_expired:
    "The process handling the request did not record a response in time. payrun is querying the gateway for the status.",
  refused: "The gateway refused the deposit. The payer did not receive payment instructions.",
  refused_after_doubt:
    "One request did not receive a response, and a later one was refused. The first request may still reach the gateway. payrun is querying the status.",
  deferred:
    "The gateway did not accept the request this time. payrun will send it again with the same transaction code.",
  not_accepted:
    "The gateway did not accept the request within the time a payer can be expected to wait. The payer did not receive payment instructions. Request a new deposit.",
  answer_lost:
    "The gateway has the deposit, but its response with the payment instructions was lost. The payer did not receive them. Request a new deposit.",
  answered_late:
    "The response with the payment instructions arrived late. The instructions are valid.",
  banks_lost:
    "The gateway has the deposit, but its response with the list of banks was lost, so payrun accepts any bank code.",
  account_not_accepted:
    "The gateway did not accept the payer's account details. The payer can enter them again or use a different account.",
  account_not_seen:
    "The payer's account details were sent, but no response arrived. The gateway is still waiting for the payer, so the details can be sent again.",
  account_known:
    "The gateway already has account details for the payer. payrun is querying the deposit status.",
  duplicate_arrived:
    "The gateway reports that the transaction code is already used (error 111 or 113), so an earlier, unanswered request must have reached the gateway. payrun is querying the status.",
  duplicate_unexplained:
    "The gateway reports that the transaction code is already used (error 111 or 113), although none of payrun's requests can have reached it. payrun is querying the status.",
  duplicate_matched:
    "The gateway already knew the transaction code before payrun sent it, and its record has the same amount and currency. Another system may be using the same transaction codes. Check the other systems that use this merchant account.",
  duplicate_not_shown:
    "The gateway reports that the transaction code is already used, but does not show a deposit with that code. Contact gateway support.",
  never_shown:
    "The gateway has never shown a record of the deposit. The payer did not receive payment instructions. payrun will keep querying the status for a while.",
  status_unanswered:
    "The gateway has not returned a readable status. payrun will keep querying the status for a while.",
  failed_at_gateway: "The gateway reports the deposit as failed.",
  paid_differently:
    "The amount paid differs from the amount in the payment instructions. Both are recorded with the deposit.",
  paid_late: "The deposit was paid after the payment deadline.",
  code_not_ours:
    "The gateway has another deposit under this transaction code, with a different amount or currency. Ask gateway support who that deposit belongs to.",
  manual_process:
    "The gateway has asked you to contact it about this deposit (status 4, manual process).",
  unclear_status:
    "The gateway's response about this deposit contradicts itself, or contains a status or an amount that payrun cannot read. Ask gateway support for the outcome.",
  contradiction:
    "The gateway changed its report after the deposit had reached a final state. Ask gateway support whether the money arrived.",
  resolved_received:
    "The gateway did not clarify the outcome. According to another source, the money arrived.",
  resolved_not_received:
    "The gateway did not clarify the outcome. According to another source, no money arrived.",
  cannot_be_encoded:
    "A value in this deposit cannot be encoded in the gateway's message layout. The request was not sent.",
  content_changed:
    "The stored content differs from the original request. The request was not sent.",
} satisfies Record<string, string>;

export type DepositReason = keyof typeof DEPOSIT_REASONS;

/** Joins a reason code and the gateway's text, as stored. */
export const depositReason = (code: DepositReason, said = ""): string =>
  said === "" ? code : `${code}: ${said}`;

/** Returns the code of a stored reason. Null: no reason, or an unknown code. */
export const depositReasonCode = (text: string | null): DepositReason | null => {
  const code = text?.split(":", 1)[0] ?? "";
  return Object.hasOwn(DEPOSIT_REASONS, code) ? (code as DepositReason) : null;
};

/** Returns the reason as text for people: its meaning, and the text of the gateway. */
export function depositReasonText(text: string): string {
  const code = depositReasonCode(text);
  if (!code) return text;
  const said = text.slice(code.length + 2);
  return said === "" ? DEPOSIT_REASONS[code] : `${DEPOSIT_REASONS[code]} Details: ${said}`;
}
