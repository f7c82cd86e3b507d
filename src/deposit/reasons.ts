/**
 * The reason for the state of a deposit, as stored in the ledger and shown to people: a code and,
 * after a colon, the text of the gateway or the system. The code is stable; the sentence states its
 * meaning and the next step.
 */
export const DEPOSIT_REASONS = {
  no_answer: "Asked for without a conclusive answer. The gateway is being asked what became of it.",
  lease_expired:
    "The process that asked for it is gone. The gateway is being asked what became of it.",
  refused: "The gateway refused it. Nobody was told where to pay.",
  refused_after_doubt:
    "A request ended without an answer, and a later one was refused. The first may still arrive; it is being looked up.",
  deferred: "The gateway did not take it this time. It is asked for again, with the same code.",
  not_accepted:
    "The gateway did not take it, and the payer does not wait for ever. Nobody was told where to pay: ask for another deposit.",
  answer_lost:
    "The gateway has it, and the answer that told where to pay was lost. Nobody was told where to pay: ask for another deposit.",
  answered_late: "The answer that told where to pay came late. It counts.",
  banks_lost:
    "The gateway has it, and the answer with its list of banks was lost. Any bank code is taken.",
  account_not_accepted: "The gateway did not take the payer's account. It can be handed in again.",
  account_not_seen:
    "The payer's account was handed in, and no answer came. The gateway waits for the payer all the same: it can be handed in again.",
  account_known:
    "The gateway has an account of the payer already. What became of the deposit is being looked up.",
  duplicate_arrived:
    "The gateway knew the code (error 111 or 113) after a request without an answer: that request arrived. It is being looked up.",
  duplicate_unexplained:
    "The gateway knew the code (error 111 or 113) although no request of ours may have arrived. It is being looked up.",
  duplicate_matched:
    "The gateway knew the code before we sent it, and its record has our amount and currency. Find out who else sends codes of this kind.",
  duplicate_not_shown:
    "The gateway refuses the code as used and does not show who used it. Ask the gateway.",
  never_shown:
    "The gateway has never shown it. Nobody was told where to pay. It is asked for a while longer.",
  status_unanswered:
    "The gateway has given no readable answer about it. It is asked for a while longer.",
  failed_at_gateway: "The gateway reports that it came to nothing.",
  paid_differently:
    "Another amount was paid than the payer was told to pay. Both stand with the deposit.",
  paid_late: "It was paid after its time was over.",
  code_not_ours:
    "The gateway holds another deposit under this code: its amount or currency is not ours. Ask the gateway whose it is.",
  manual_process:
    "The gateway wants to be contacted about this deposit (status 4, manual process).",
  unclear_status:
    "What the gateway says about this deposit contradicts itself, or is a word or an amount that payrun cannot read. Ask the gateway what became of it.",
  contradiction:
    "The gateway changed its word after the deposit had ended. Ask the gateway whether the money came in.",
  resolved_received: "The gateway did not explain it. People found out elsewhere that money came in.",
  resolved_not_received:
    "The gateway did not explain it. People found out elsewhere that no money came in.",
  cannot_be_encoded: "The gateway's message layout cannot carry a value of it; nothing was sent.",
  content_changed: "What is stored is not what was asked for at first; nothing was sent.",
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
  return said === "" ? DEPOSIT_REASONS[code] : `${DEPOSIT_REASONS[code]} (${said})`;
}
