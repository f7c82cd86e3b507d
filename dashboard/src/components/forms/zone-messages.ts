import { inLanguage } from "../../base/language.ts";

const en = {
  none: "No time zone has this name. Type a city, such as Kolkata.",
  refused: (text: string) => `“${text}” is not one time zone. Choose one from the list.`,
};

export const messages = inLanguage({ en });
