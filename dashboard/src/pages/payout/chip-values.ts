import { dateTimeText } from "../../base/dates.ts";
import { formatAmount } from "../../base/money.ts";
import { messages } from "./messages.ts";
import type { Field, PayoutSearch } from "./search-params.ts";

const texts = messages.filters;

/** The chosen values of a group in words; undefined if no field of it is set. */
export function valueOf(fields: readonly Field[], search: PayoutSearch): string | undefined {
  const [first, second] = fields;
  if (first?.type && second?.type) {
    return periodText(search[first.name], search[second.name]);
  }
  const values = fields.flatMap(({ name }) => {
    const value = search[name];
    if (value === undefined) return [];
    if (name === "account") return [texts.accountChip];
    if (name === "amount") return [formatAmount(value, null)];
    if (name === "amount_from") return [`≥ ${formatAmount(value, null)}`];
    if (name === "amount_to") return [`≤ ${formatAmount(value, null)}`];
    return [value];
  });
  return values.length === 0 ? undefined : values.join(" · ");
}

function periodText(from: string | undefined, to: string | undefined): string | undefined {
  if (from !== undefined && to !== undefined)
    return texts.range(dateTimeText(from), dateTimeText(to));
  if (from !== undefined) return texts.from(dateTimeText(from));
  return to === undefined ? undefined : texts.until(dateTimeText(to));
}

/** Returns the number of payouts found in words. */
export const foundText = ({
  count,
  count_max,
}: {
  readonly count: number | null;
  readonly count_max: number;
}): string => (count === null ? messages.list.tooMany(count_max) : messages.list.found(count));
