import { groupDigits } from "#money/format.ts";

interface Amount {
  readonly currency: string;
  /** Exact decimal text. */
  readonly amount: string;
}

/** Formats an amount for people: "INR 12,34,567.00". A script reads it with --json. */
export const moneyText = ({ currency, amount }: Amount): string =>
  `${currency} ${groupDigits(amount, currency)}`;

const AMOUNT_IN_TEXT = /(?<![\w.,-])(-?\d+(?:\.\d+)?) ([A-Z]{3,6})(?=$|[,;])/g;

/** Groups the digits of each amount with a currency in a text: "settled, 12500.00 INR, G123". */
export const groupAmountsIn = (text: string): string =>
  text.replaceAll(
    AMOUNT_IN_TEXT,
    (_, amount: string, currency: string) => `${groupDigits(amount, currency)} ${currency}`,
  );
