import { Fragment } from "react";
import { isZero, type Money, splitAmount } from "../base/money.ts";
import classes from "./amount.module.css";

interface AmountProps {
  readonly of: Money;
  /** An amount above 0 has a plus sign, such as a difference. */
  readonly isSigned?: boolean;
}

/**
 * An amount with its currency code on one line, in the reader's number format. The code and
 * decimals that are all zero are grey. Copied text and screen readers have all characters.
 */
export function Amount({ of, isSigned = false }: AmountProps) {
  const { currency, amount } = of;
  const isNegative = amount.startsWith("-");
  return (
    <span className="tabular">
      {isNegative ? "−" : isSigned && !isZero(of) ? "+" : null}
      <span className={classes.code}>{currency}</span>{" "}
      <Digits of={{ currency, amount: isNegative ? amount.slice(1) : amount }} />
    </span>
  );
}

/** An amount without its currency code, where a column or heading names the currency. */
export const PlainAmount = ({ of }: { readonly of: Money }) => (
  <span className="tabular">
    <Digits of={of} />
  </span>
);

function Digits({ of: { currency, amount } }: { readonly of: Money }) {
  const { digits, zeros } = splitAmount(amount, currency);
  return (
    <span className={amount.includes(".") ? classes.decimal : classes.whole}>
      {digits}
      {zeros === "" ? null : <span className={classes.zeros}>{zeros}</span>}
    </span>
  );
}

/** One line per currency. Amounts of different currencies are never added. */
export function Amounts({ of }: { readonly of: readonly Money[] }) {
  if (of.length === 0) return <span>–</span>;
  return of.map((amount) => (
    <div key={amount.currency}>
      <Amount of={amount} />
    </div>
  ));
}

/** Amounts in one line, such as the totals of a batch. */
export const AmountLine = ({
  of,
  isSigned = false,
}: {
  readonly of: readonly Money[];
  readonly isSigned?: boolean;
}) =>
  of.map((amount, place) => (
    <Fragment key={amount.currency}>
      {place === 0 ? null : " · "}
      <Amount of={amount} isSigned={isSigned} />
    </Fragment>
  ));
