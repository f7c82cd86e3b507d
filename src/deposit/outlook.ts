import { DEPOSIT_STATES, type DepositState, type Paid } from "#deposit/lifecycle.ts";
import { depositReasonText } from "#deposit/reasons.ts";
import { DEPOSIT_REQUIREMENTS, isDepositCurrency } from "#deposit/requirements.ts";

/**
 * The facts that people need about a deposit: whether the money has arrived, and what happens next.
 */
export interface DepositOutlook {
  readonly paid: Paid;
  /** Answers "has the money come in?" and gives the evidence. */
  readonly answer: string;
  readonly next: string;
  readonly nextAt: Date | null;
}

interface Standing {
  readonly state: DepositState;
  readonly reason: string | null;
  readonly dueAt: Date | null;
  readonly isUnderWay: boolean;
}

// biome-ignore format: the columns are the point
const ANSWERS: Readonly<Record<DepositState, string>> = {
  requested:        "No. The payer has not been told where to pay.",
  in_doubt:         "Nobody knows. A request got no conclusive answer.",
  awaiting_bank:    "Not yet. The payer must say which account they pay from.",
  awaiting_payment: "Not yet, as far as the gateway has said.",
  completed:        "Yes. The gateway reports it as completed.",
  expired:          "Not while there was time, as far as the gateway has said.",
  declined:         "No. It came to nothing, as far as the gateway has said.",
  manual:           "It depends on the reason.",
  resolved:         "Two people recorded the result.",
};

/**
 * Returns the answer first, then what happens next and when. It states only what the ledger can
 * prove.
 */
export function depositOutlook({ state, reason, dueAt, isUnderWay }: Standing): DepositOutlook {
  const answer = reason ? `${ANSWERS[state]} ${depositReasonText(reason)}` : ANSWERS[state];
  const then = (next: string): DepositOutlook => ({
    paid: DEPOSIT_STATES[state].paid,
    answer,
    next,
    nextAt: dueAt,
  });
  switch (state) {
    case "requested":
      return isUnderWay
        ? then("The answer is awaited. Without one the deposit is looked up.")
        : then("The gateway is asked for it again, with the same code.");
    case "in_doubt":
    case "awaiting_bank":
    case "awaiting_payment":
      return then("The gateway is asked what became of it.");
    case "expired":
      return dueAt
        ? then("The gateway is asked for a while longer: a payment may be late.")
        : then("Nothing by itself.");
    case "manual":
      return dueAt
        ? then("A person asks the gateway. payrun asks for its word, too.")
        : then("A person decides. payrun asks for it no more by itself.");
    case "declined":
      return dueAt
        ? then("The gateway is asked for a while longer: a payment may be late.")
        : then("Nothing. It has ended.");
    case "completed":
    case "resolved":
      return then("Nothing. It has ended.");
  }
}

export type DepositAction = "ask" | "krw_account" | "reference" | "resolve";

/** Returns the actions that are possible on a deposit in this state. */
export function actionsOnDeposit(state: DepositState, currency: string): DepositAction[] {
  const takesReference =
    isDepositCurrency(currency) && DEPOSIT_REQUIREMENTS[currency].reference !== null;
  const actions: DepositAction[] = state === "requested" ? [] : ["ask"];
  if (state === "awaiting_bank") actions.push("krw_account");
  if (takesReference && (state === "awaiting_payment" || state === "expired")) {
    actions.push("reference");
  }
  if (state === "manual") actions.push("resolve");
  return actions;
}
