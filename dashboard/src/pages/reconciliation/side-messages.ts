import { inLanguage } from "../../base/language.ts";

const en = {
  explained: "explained by deposits and lines",
  change: "change of the balance",
};

export const messages = inLanguage({ en });
