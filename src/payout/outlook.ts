import { type Moved, type PayoutState, STATES } from "#payout/lifecycle.ts";
import { reasonCode, reasonText } from "#payout/reasons.ts";
import type { PlannedResend } from "#payout/sent-again.ts";

/** The answers to the main questions about a payout: whether it was paid, and what happens next. */
export interface Outlook {
  readonly moved: Moved;
  /** Answers "has money moved?" with its evidence. */
  readonly answer: string;
  readonly next: string;
  readonly nextAt: Date | null;
  /**
   * The earliest time at which its code is sent again, if the gateway does not show it by then.
   * Null: it is not waiting.
   */
  readonly wait: Wait | null;
}

interface Wait extends Pick<PlannedResend, "why" | "because"> {
  readonly until: Date;
}

export interface Standing {
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly dueAt: Date;
  /**
   * The time since which the gateway has given no readable answer about it. Null: the last answer
   * was readable.
   */
  readonly silentSince: Date | null;
  /** The reason why its batch or lane sends nothing at the moment. Null: it would be sent. */
  readonly stoppedBy: string | null;
  readonly resend: PlannedResend | null;
  readonly now: Date;
}

/** A status query that is this late is not only waiting for its turn. */
const LATE_MS = 60_000;

// biome-ignore format: the columns are the point
const ANSWERS: Readonly<Record<PayoutState, string>> = {
  awaiting_approval: "No. Nothing has been sent.",
  approved:          "No. Nothing is on its way.",
  submitting:        "It may have. A request is on its way, and its answer is not on record yet.",
  in_doubt:          "It may have. It was sent, and no answer says what became of it.",
  accepted:          "Not yet. The gateway took it and has not reported it finished.",
  settled:           "Yes. The gateway reports it completed.",
  declined:          "No. The gateway says, conclusively, that it will not pay it.",
  held:              "That stands with the reason.",
  returned:          "It had arrived, and it came back.",
  cancelled:         "No. It was stopped before the gateway took it.",
  closed:            "That stands with the reason, by the word of people.",
};

const ENDED = "Nothing. It has ended.";

/** States in which the reason is part of the answer. */
const EXPLAINED: ReadonlySet<PayoutState> = new Set(["held", "in_doubt", "declined", "closed"]);

/**
 * Returns the answer first, then what happens next and when. It never states more than the ledger
 * can prove.
 */
export function outlookOf(standing: Standing): Outlook {
  const { state, reason, dueAt, stoppedBy, resend, now } = standing;
  const { moved, answer } = answerOf(standing);
  const then = (next: string, nextAt: Date | null = null): Outlook => ({
    moved,
    answer,
    next,
    nextAt,
    wait: resend && {
      until: new Date(now.getTime() + resend.inMs),
      why: resend.why,
      because: resend.because,
    },
  });
  switch (state) {
    case "awaiting_approval":
      return then("It waits for the approval of its batch.");
    case "approved":
      if (stoppedBy) return then(`It waits: ${stoppedBy}.`);
      return reasonCode(reason) === "deferred"
        ? then("It is sent again, with the same code.", dueAt)
        : then("It is sent when its turn comes.");
    case "submitting":
      return then("The answer is awaited. Without one the gateway is asked.", dueAt);
    case "in_doubt":
    case "accepted":
      return now.getTime() - dueAt.getTime() > LATE_MS
        ? then("The gateway was to be asked for it by now, and was not.", dueAt)
        : then("The gateway is asked for it again.", dueAt);
    case "settled":
      return then("Nothing. If the gateway reports that it came back, that is shown here.");
    case "held":
      return then(
        "A person finds out what became of it and closes it. payrun neither sends it nor asks for it by itself.",
      );
    case "declined":
      return then("Nothing by itself. Correct the row and upload it in a new file.");
    case "returned":
    case "cancelled":
    case "closed":
      return then(ENDED);
  }
}

/** Formats a time like "2026-11-21 09:20:00 UTC". */
const timeText = (at: Date): string => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;

function answerOf({ state, reason, silentSince }: Standing): Pick<Outlook, "moved" | "answer"> {
  // The gateway's last answer may be outdated: it may have finished the payout since.
  if (state === "accepted" && silentSince) {
    const answer = `It may have. The gateway took it. It has given no readable answer about it since ${timeText(silentSince)}.`;
    return { moved: "maybe", answer };
  }
  const why = reason && EXPLAINED.has(state);
  const answer = why ? `${ANSWERS[state]} ${reasonText(reason)}` : ANSWERS[state];
  return { moved: STATES[state].moved, answer };
}

/** An action that a person may want to take on a payout, and why it is not allowed. */
export interface Action {
  readonly action: "ask" | "close" | "cancel" | "resend" | "replace";
  readonly may: boolean;
  readonly why: string;
}

const ALWAYS_SAFE = "Always safe: it asks, and what the gateway proves is recorded.";
const FOR_A_PERSON =
  "Always safe: what the gateway says is recorded, for whoever decides about it.";

// biome-ignore format: the columns are the point
const NOT_ASKED: Partial<Record<PayoutState, string>> = {
  submitting: "A request is on its way; its answer comes first.",
  returned:   "It has ended.",
  cancelled:  "Nothing was sent, so there is nothing to ask for.",
};

// biome-ignore format: the columns are the point
const NOT_REPLACED: Readonly<Record<PayoutState, string>> = {
  awaiting_approval: "It has not been sent.",
  approved:          "It has not been sent; it will be.",
  submitting:        "It may arrive: under another code it could arrive twice.",
  in_doubt:          "It may have arrived: under another code it could arrive twice.",
  accepted:          "The gateway has it: under another code it could arrive twice.",
  settled:           "It has arrived.",
  declined:          "Correct the row and upload it in a new file, which gets a new code and an approval of its own.",
  held:              "Not before the reason is cleared with the gateway. Then upload the row in a new file.",
  returned:          "Upload the row in a new file, which gets a new code and an approval of its own.",
  cancelled:         "Upload the row in a new file.",
  closed:            "If it did not arrive, upload the row in a new file, which gets a new code and an approval of its own.",
};

const CLOSE: Action = {
  action: "close",
  may: true,
  why: "Where the bank or the gateway's support knows what became of it, in writing: an operator says it, an approver agrees.",
};

/** Returns why the gateway is never queried about a payout, even on request. Null: it is. */
export const whyNotAsked = (state: PayoutState): string | null => NOT_ASKED[state] ?? null;

/** Returns every action that people look for, and why it is or is not allowed here. */
export function actionsOn(state: PayoutState): Action[] {
  const refusal = whyNotAsked(state);
  const asks = state === "held" ? FOR_A_PERSON : ALWAYS_SAFE;
  const isUnsent = state === "awaiting_approval" || state === "approved";
  return [
    { action: "ask", may: refusal === null, why: refusal ?? asks },
    ...(state === "held" ? [CLOSE] : []),
    {
      action: "resend",
      may: false,
      why:
        state === "in_doubt"
          ? "payrun does it by itself, with the same code, once no earlier request can be in progress and the gateway does not show the code."
          : "Only a payout that the gateway does not know is sent again, and payrun does that by itself.",
    },
    {
      action: "cancel",
      may: false,
      why: isUnsent
        ? "What is unsent is cancelled for a whole batch, on its page."
        : "Only what has not been sent can be cancelled.",
    },
    { action: "replace", may: false, why: NOT_REPLACED[state] },
  ];
}
