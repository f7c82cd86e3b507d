import { inLanguage } from "../../base/language.ts";

const en = {
  none: "No time zone has this name. Type a city, such as Kolkata.",
};

export const messages = inLanguage({ en });
