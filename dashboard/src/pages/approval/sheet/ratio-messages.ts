import { inLanguage } from "../../../base/language.ts";

const FRACTIONS = new Map([
  [2, "half"],
  [3, "a third of"],
  [4, "a quarter of"],
  [5, "a fifth of"],
  [10, "a tenth of"],
  [100, "a hundredth of"],
]);

const en = {
  /**
   * How large an amount is compared with another: "3.2 times" or "about a tenth of". `times`: the
   * multiple as the server states it, for amounts of at least the other.
   */
  share: (amount: string, other: string, times: string | null): string => {
    const ratio = Number(amount) / Number(other);
    if (!(ratio < 1)) return `${times ?? ""} times`;
    const parts = Math.round(1 / ratio);
    return parts > 1 ? `about ${FRACTIONS.get(parts) ?? `1/${parts} of`}` : "about";
  },
};

export const ratioMessages = inLanguage({ en });
