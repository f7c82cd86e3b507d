import { type PayoutSearch, TEXT_FIELDS } from "./search-params.ts";

const AMOUNT = /^(?:([A-Za-z]{3})\s*)?(\d[\d,]*(?:\.\d+)?)$/;
const CODE = /^[\w.-]*\d[\w.-]*$/;

/**
 * Returns the filters for a search text: "INR 22407" is an amount in a currency, a term with a
 * digit is the beginning of a code, and other text is the beginning of a name.
 */
export function filtersOfText(text: string): PayoutSearch {
  const typed = text.trim();
  if (typed === "") return {};
  const [, currency, amount] = AMOUNT.exec(typed) ?? [];
  if (amount !== undefined) {
    return {
      amount: amount.replaceAll(",", ""),
      ...(currency && { currency: currency.toUpperCase() }),
    };
  }
  return CODE.test(typed) ? { code: typed } : { name: typed };
}

/** Returns the text of the search field for the filters in the address. */
export const textOfFilters = (search: PayoutSearch): string =>
  TEXT_FIELDS.flatMap((name) => search[name] ?? [])[0] ?? "";

/** Removes the filters of the search field. */
export function withoutText(search: PayoutSearch): PayoutSearch {
  const { name: _name, code: _code, amount: _amount, ...others } = search;
  return others;
}
