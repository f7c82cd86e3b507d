import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Failures",
};

export const messages = inLanguage({ en });
