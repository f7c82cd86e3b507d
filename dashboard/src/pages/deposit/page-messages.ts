import { inLanguage } from "../../base/language.ts";

const en = {
  title: "Deposits",
  request: "Request a deposit",
};

export const messages = inLanguage({ en });
