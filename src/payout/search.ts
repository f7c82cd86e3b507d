import { isCurrency } from "#money/currency.ts";

/** One interpretation of the text in the search box. */
export interface SearchInterpretation {
  /** A label for people. */
  readonly label: string;
  readonly by: {
    readonly code?: string;
    readonly gatewayNumber?: string;
    readonly userId?: string;
    readonly account?: string;
    readonly accountLast4?: string;
    readonly name?: string;
    readonly currency?: string;
    readonly amountFrom?: string;
    readonly amountTo?: string;
  };
}

const AMOUNT = /^(?:\d{1,15}|\d{1,3}(?:,\d{2,3})+)(?:\.\d{1,8})?$/;
const CODE = /^[\w-]{4,64}$/;
/** The letters with which codes and gateway numbers begin, such as WD. */
const CODE_LETTERS = /^[a-z]{2,3}$/i;
/** An account as it is displayed, such as ••6282, and as other programs mask it. */
const MASKED = /^(?:[•·…*]+|\.{2,}|x{2,})\s*(\d{4})$/i;
/** The merchant's ID of a user, such as E-102. Text with letters only is a name. */
const USER_ID = /^(?=.*[\d@._-])\S{2,128}$/;
const ACCOUNT = /^\+?[\w-]{6,140}$/;

/** Larger than the decimals of any currency. */
const DECIMALS_MAX = "99999999";

/**
 * Returns the range of amounts that a typed amount means: "99.50" is exact, and "22407" is every
 * amount with this whole part.
 */
export const amountsOf = (amount: string) => ({
  from: amount,
  to: amount.includes(".") ? amount : `${amount}.${DECIMALS_MAX}`,
});

function rangeOf(amount: string): { amountFrom: string; amountTo: string } {
  const { from, to } = amountsOf(amount);
  return { amountFrom: from, amountTo: to };
}

/**
 * Returns every interpretation of a text, most certain first: "PR8X…" is a code, "anna rao inr
 * 1,200" a name and an amount, "1234" an amount or the end of an account.
 */
export function interpretSearch(text: string): SearchInterpretation[] {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const whole = words.length === 1 ? (words[0] ?? "") : "";
  const ways: SearchInterpretation[] = [];

  const last4 = MASKED.exec(text.trim())?.[1];
  if (last4 !== undefined) {
    return [{ label: `account ending in ${last4}`, by: { accountLast4: last4 } }];
  }
  if (CODE_LETTERS.test(whole) && !isCurrency(whole.toUpperCase())) {
    const letters = whole.toUpperCase();
    ways.push(
      { label: `code ${letters}…`, by: { code: letters } },
      { label: `gateway number ${letters}…`, by: { gatewayNumber: letters } },
    );
  }
  if (CODE.test(whole)) {
    const code = whole.toUpperCase();
    ways.push({ label: `code ${code}…`, by: { code } });
    if (code !== whole) ways.push({ label: `code ${whole}…`, by: { code: whole } });
    ways.push({ label: `gateway number ${whole}…`, by: { gatewayNumber: whole } });
  }
  if (USER_ID.test(whole)) ways.push({ label: `user ID ${whole}`, by: { userId: whole } });
  if (ACCOUNT.test(whole) && /\d/.test(whole)) {
    ways.push({ label: `account ${whole}`, by: { account: whole } });
  }
  if (/^\d{4}$/.test(whole)) {
    ways.push({ label: `account ending in ${whole}`, by: { accountLast4: whole } });
  }

  const currency = words.map((word) => word.toUpperCase()).find(isCurrency);
  const amount = words.find((word) => AMOUNT.test(word))?.replaceAll(",", "");
  const name = words
    .filter((word) => !AMOUNT.test(word) && word.toUpperCase() !== currency && /\p{L}/u.test(word))
    .join(" ");
  const isCode = whole !== "" && /\d/.test(whole) && amount === undefined;
  if (amount === undefined && (name === "" || isCode)) return ways;
  const parts = {
    ...(name === "" ? {} : { name }),
    ...(currency === undefined ? {} : { currency }),
    ...(amount === undefined ? {} : rangeOf(amount)),
  };
  const label = [name && `name ${name}`, amount && `amount ${amount}`, currency].filter(Boolean);
  return [...ways, { label: label.join(", "), by: parts }];
}
