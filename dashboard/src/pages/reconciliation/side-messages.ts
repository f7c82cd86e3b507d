import { inLanguage } from "../../base/language.ts";

const en = {
  explained: "explained by deposits and lines",
  change: "change of the balance",
  noNetDifference: "No net difference",
};

export const messages = inLanguage({ en });
