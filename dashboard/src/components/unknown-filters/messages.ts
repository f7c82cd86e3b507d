import { inLanguage } from "../../base/language.ts";

const en = {
  unknownFilters: (filters: readonly string[]) =>
    `${filters.length === 1 ? "Unknown filter" : "Unknown filters"} ${filters.join(", ")} ${filters.length === 1 ? "was" : "were"} removed.`,
  hideNotice: "Hide this message",
};

export const messages = inLanguage({ en });
