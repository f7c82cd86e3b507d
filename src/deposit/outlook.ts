import { DEPOSIT_STATES, type DepositState, type MoneyArrived } from "#deposit/lifecycle.ts";
import { depositReasonText } from "#deposit/reasons.ts";
import { DEPOSIT_REQUIREMENTS, isDepositCurrency } from "#deposit/requirements.ts";

/**
 * The facts that people need about a deposit: whether the money has arrived, and what happens next.
 */
export interface DepositOutlook {
  readonly paid: MoneyArrived;
  /** Answers "has the money arrived?" and gives the evidence. */
  readonly answer: string;
  readonly next: string;
  readonly nextAt: Date | null;
}

interface OutlookFacts {
  readonly state: DepositState;
  readonly reason: string | null;
  readonly dueAt: Date | null;
  readonly isUnderWay: boolean;
}

// biome-ignore format: the columns are the point
const ANSWERS: Readonly<Record<DepositState, string>> = {
  requested:        "No. The payer has not received payment instructions.",
  in_doubt:         "Unknown. The outcome of a request is not known yet.",
  awaiting_bank:    "Not yet. The payer must enter the account they will pay from.",
  awaiting_payment: "Not yet, according to the gateway.",
  completed:        "Yes. The gateway reports the deposit as completed.",
  expired:          "According to the gateway, no payment arrived by the payment deadline.",
  declined:         "No, according to the gateway.",
  manual:           "It depends on why the deposit is on hold.",
  resolved:         "The result was recorded manually.",
};

/**
 * Returns the answer first, then what happens next and when. It states only what the ledger can
 * prove.
 */
export function depositOutlook({ state, reason, dueAt, isUnderWay }: OutlookFacts): DepositOutlook {
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
        ? then(
            "payrun is waiting for the gateway's response. If none arrives, payrun will query the status.",
          )
        : then("payrun will send the request again with the same transaction code.");
    case "in_doubt":
    case "awaiting_bank":
    case "awaiting_payment":
      return then("payrun will query the gateway for the status.");
    case "expired":
      return dueAt
        ? then("payrun will keep querying the status for a while, in case a payment arrives late.")
        : then("Nothing will happen automatically.");
    case "manual":
      return dueAt
        ? then("Someone must contact gateway support. payrun will keep querying the status.")
        : then("A manual decision is required. payrun no longer queries the status automatically.");
    case "declined":
      return dueAt
        ? then("payrun will keep querying the status for a while, in case a payment arrives late.")
        : then("Nothing. This is the final state.");
    case "completed":
    case "resolved":
      return then("Nothing. This is the final state.");
  }
}

export type DepositAction = "query" | "krw_account" | "reference" | "resolve";

/** Returns the actions that are possible on a deposit in this state. */
export function depositActions(state: DepositState, currency: string): DepositAction[] {
  const takesReference =
    isDepositCurrency(currency) && DEPOSIT_REQUIREMENTS[currency].reference !== null;
  const actions: DepositAction[] = state === "requested" ? [] : ["query"];
  if (state === "awaiting_bank") actions.push("krw_account");
  if (takesReference && (state === "awaiting_payment" || state === "expired")) {
    actions.push("reference");
  }
  if (state === "manual") actions.push("resolve");
  return actions;
}
