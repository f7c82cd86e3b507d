import { inLanguage } from "../../base/language.ts";

const en = {
  none: "No time zone has this name. Type a city, such as Kolkata.",
  refused: (text: string) => `No single time zone matches “${text}”. Choose one from the list.`,
};

export const messages = inLanguage({ en });
