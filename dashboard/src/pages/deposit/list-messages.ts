import { counted, inLanguage } from "../../base/language.ts";

const en = {
  caption: "Deposits found",
  found: (count: number) => counted(count, "deposit", "deposits"),
  noMatches:
    "No deposits match. The user, reference and gateway number filters require the full value.",
  empty: "No deposits have been requested yet.",

  filters: {
    text: "Transaction code",
    state: "State",
    payer: "User",
    reference: "Reference",
    gatewayNumber: "Gateway number",
    gatewayNumberHint: "DP…",
    currency: "Currency",
    currencyHint: "INR",
    requested: "Requested",
    inFull: "full value",
  },

  columns: {
    amount: "Amount",
    reported: "Reported amount",
    state: "State",
    user: "User",
    erased: "Erased",
    reference: "Reference",
    gatewayNumber: "Gateway number",
    expires: "Expires",
    requested: "Requested at",
    changed: "Last change",
  },
};

export const messages = inLanguage({ en });
