import { useId } from "react";
import { type Money } from "../base/money.ts";
import { Amounts, PlainAmount } from "./amount.tsx";
import classes from "./amount-summary.module.css";
import { messages } from "./messages.tsx";

const CURRENCIES_MAX = 3;

/**
 * Amounts in a list, one line per currency. More than three currencies collapse into a button that
 * lists every amount.
 */
export function AmountSummary({
  of,
  payouts,
}: {
  readonly of: readonly Money[];
  /** The number of payouts in these amounts, where it is known. */
  readonly payouts?: number;
}) {
  const id = useId();
  if (of.length <= CURRENCIES_MAX) return <Amounts of={of} />;
  const text = messages.currencies(of.length, payouts);
  return (
    <>
      <button type="button" className={classes.button} popoverTarget={id}>
        {text}
      </button>
      <div popover="auto" id={id} className={classes.list} role="dialog" aria-label={text}>
        <strong>{text}</strong>
        <dl>
          {of.map(({ currency, amount }) => (
            <div key={currency}>
              <dt>{currency}</dt>
              <dd>
                <PlainAmount of={{ currency, amount }} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
