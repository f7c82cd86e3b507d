/**
 * The reason why a payout is in its state, as stored in the ledger and shown to people: a code, and
 * after a colon the text of the gateway or the system. The code is stable; the sentence explains
 * its meaning and the next step.
 */
export const REASONS = {
  duplicate_arrived:
    "The gateway knew the code (error 111) after an attempt without an answer: that attempt arrived. Its amount is being confirmed.",
  duplicate_unexplained:
    "The gateway knew the code (error 111) although no attempt of ours may have arrived. It is being looked up.",
  duplicate_matched:
    "The gateway had this payout before we sent it, with our amount and currency, and has not paid it again. Its file was paid before a restore of the ledger, or somebody else sends codes of this kind.",
  refused_after_doubt:
    "An attempt ended without an answer, a later one was refused, and the gateway does not show it. The first may still arrive: ask the gateway before it is paid again.",
  refused_since_restore:
    "The gateway refused it. The ledger was restored and may have forgotten an earlier attempt, so the gateway is being asked whether it has the payout.",
  no_answer: "Sent without a conclusive answer. The gateway is being asked what became of it.",
  lease_expired:
    "The worker that was sending it is gone. The gateway is being asked what became of it.",
  refused: "The gateway refused it.",
  deferred: "The gateway did not take it this time. It will be sent again, with the same code.",
  failed_at_gateway: "The gateway took it and then reported it failed.",
  code_not_ours:
    "The gateway holds another payout under this code: its amount or currency is not ours. Ask the gateway whose it is before the row is paid under another code.",
  duplicate_not_shown:
    "The gateway refuses the code as used and does not show who used it. It may have been paid: ask the gateway before anything else.",
  duplicate_failed:
    "The gateway had this payout before we sent it, and reports that one failed. Its file was sent before a restore of the ledger, or the code is somebody else's. Ask the gateway before the row is paid under another code.",
  known_before_sent:
    "The gateway knows this code although every attempt of ours was refused or none was made. It was not sent again. Ask the gateway before anything else.",
  sent_before_restore:
    "The gateway has it, with our amount and currency. It was sent before the ledger was restored, in what was lost with the restore.",
  status_unanswered:
    "Sent without a conclusive answer, and the gateway has given no readable answer about it since. It may have been paid: ask the gateway.",
  amount_mismatch:
    "The gateway's record of this code has another amount or currency. Do not pay it again before the gateway has explained the difference.",
  manual_process: "The gateway wants to be contacted about this payout (status 4, manual process).",
  unclear_status:
    "What the gateway says about this payout contradicts itself, or is a word or an amount that payrun cannot read. Ask the gateway what became of it.",
  two_records:
    "The gateway has more than one record of this code, or has given it two numbers: it may have paid it twice. Ask the gateway at once, with these numbers.",
  accepted_twice:
    "Two requests of this code were both answered as accepted: the gateway may have paid it twice. Ask the gateway at once.",
  contradiction:
    "The gateway changed its word after the payout had ended. Ask the gateway whether the money came back or was never paid.",
  poison:
    "Three workers died while they were sending it, and the gateway does not show it. It is not sent again by itself.",
  not_found_at_gateway:
    "The gateway took it and has not known it since. Ask the gateway before anything else.",
  not_asked:
    "The ledger was restored, and the gateway could not be asked for it before it was unfrozen. It may have been paid: ask the gateway before anything else.",
  resend_window_over:
    "The gateway does not show it, and it is too long ago to send it again safely. Ask the gateway whether it was ever taken before it is paid again.",
  cannot_be_encoded:
    "The gateway's message layout cannot carry a value of this row; this attempt was not sent.",
  content_changed: "What is stored is not what was approved; this attempt was not sent.",
  overtaken:
    "It pays a declined payout again, and the gateway has changed its word about that one. It is not sent: ask the gateway which of the two it pays.",
  paid_again_before_restore:
    "The gateway has a payout that pays this one again: the ledger was restored, and has forgotten that this one was declined. Do not pay it: ask the gateway what became of the other.",
  closed_arrived: "The gateway did not explain it. People found out elsewhere that it arrived.",
  closed_not_arrived:
    "The gateway did not explain it. People found out elsewhere that no money left, or that it came back.",
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
  return said === "" ? REASONS[code] : `${REASONS[code]} (${said})`;
}

export const reasonCode = (text: string | null): ReasonCode | null => {
  const code = text?.split(":", 1)[0] ?? "";
  return Object.hasOwn(REASONS, code) ? (code as ReasonCode) : null;
};
