/**
 * The reason for the state of a deposit, as stored in the ledger and shown to people: a code and,
 * after a colon, the text of the gateway or the system. The code is stable; the sentence states its
 * meaning and the next step.
 */
export const DEPOSIT_REASONS = {
  no_answer:
    "Requested without a conclusive answer. payrun is querying the gateway for the status.",
  lease_expired:
    "The process that requested it recorded no answer in time. payrun is querying the gateway for the status.",
  refused: "The gateway refused it. The payer received no payment instructions.",
  refused_after_doubt:
    "One request got no answer, and a later one was refused. The first may still arrive. payrun is querying the status.",
  deferred:
    "The gateway did not accept it this time. payrun will send the request again with the same transaction code.",
  not_accepted:
    "The gateway did not accept it while the payer could be expected to wait. The payer received no payment instructions: request a new deposit.",
  answer_lost:
    "The gateway has it, but the answer with the payment instructions was lost. The payer received none: request a new deposit.",
  answered_late: "The answer with the payment instructions came late. The instructions are valid.",
  banks_lost:
    "The gateway has it, but the answer with its list of banks was lost. payrun accepts any bank code.",
  account_not_accepted:
    "The gateway did not accept the payer's account. The account can be sent again.",
  account_not_seen:
    "The payer's account was sent, but no answer came. The gateway still waits for the payer, so the account can be sent again.",
  account_known:
    "The gateway already has an account of the payer. payrun is querying the status of the deposit.",
  duplicate_arrived:
    "The gateway reports the transaction code as used (error 111 or 113) after a request without an answer: that request arrived. payrun is querying the status.",
  duplicate_unexplained:
    "The gateway reports the transaction code as used (error 111 or 113), although none of our requests can have arrived. payrun is querying the status.",
  duplicate_matched:
    "The gateway knew the transaction code before payrun sent it, and its record has the same amount and currency. Find out which other system sends the same kind of transaction codes.",
  duplicate_not_shown:
    "The gateway refuses the transaction code as used but shows no deposit under it. Ask the gateway's support.",
  never_shown:
    "The gateway has never shown it. The payer received no payment instructions. payrun queries the status for a while longer.",
  status_unanswered:
    "The gateway has given no readable status answer. payrun queries the status for a while longer.",
  failed_at_gateway: "The gateway reports it as failed.",
  paid_differently:
    "The amount paid differs from the amount in the payment instructions. Both are recorded with the deposit.",
  paid_late: "It was paid after the time to pay had passed.",
  code_not_ours:
    "The gateway has a different deposit under this transaction code: the amount or currency differs from ours. Ask the gateway's support whose it is.",
  manual_process:
    "The gateway asks you to contact it about this deposit (status 4, manual process).",
  unclear_status:
    "The gateway's answer about this deposit contradicts itself, or contains a status or an amount that payrun cannot read. Ask the gateway's support for the outcome.",
  contradiction:
    "The gateway changed its report after the deposit had reached a final state. Ask the gateway's support whether the money arrived.",
  resolved_received:
    "The gateway did not clarify the outcome. According to information from outside the gateway, money arrived.",
  resolved_not_received:
    "The gateway did not clarify the outcome. According to information from outside the gateway, no money arrived.",
  cannot_be_encoded:
    "The gateway's message layout cannot carry a value of this deposit. Nothing was sent.",
  content_changed: "The stored content differs from the original request. Nothing was sent.",
} satisfies Record<string, string>;

export type DepositReason = keyof typeof DEPOSIT_REASONS;

export const depositReason = (code: DepositReason, said = ""): string =>
  said === "" ? code : `${code}: ${said}`;

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
