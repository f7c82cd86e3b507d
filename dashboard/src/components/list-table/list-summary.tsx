import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Money } from "../../base/money.ts";
import { useIsPhone } from "../../base/use-is-phone.ts";
import { Amount } from "../amount.tsx";
import classes from "./list-summary.module.css";
import { messages } from "./messages.ts";

/** More currencies are shown on request. On a phone, the sums take one line. */
const CURRENCIES_MAX = 3;
const CURRENCIES_MAX_ON_PHONE = 1;

/** The number of rows found, and their sum in each currency. */
export function ListSummary({
  found,
  totals,
  note = null,
}: {
  readonly found: ReactNode;
  /** One sum per currency, with the number of its payouts, or with that of other rows in words. */
  readonly totals: readonly (Money &
    ({ readonly payouts: number } | { readonly counted: string }))[];
  /** The rows that the sums leave out or count twice. */
  readonly note?: ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const most = useIsPhone() ? CURRENCIES_MAX_ON_PHONE : CURRENCIES_MAX;
  const more = totals.length - most;
  return (
    <>
      <strong role="status">{found}</strong>
      {(isWhole ? totals : totals.slice(0, most)).map((total) => (
        <span key={total.currency} className={classes.total}>
          <Amount of={total} />
          {isWhole ? (
            <small>{"counted" in total ? total.counted : messages.payouts(total.payouts)}</small>
          ) : null}
        </span>
      ))}
      {more > 0 ? (
        <UnstyledButton
          className={classes.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? messages.fewerCurrencies : messages.moreCurrencies(more)}
        </UnstyledButton>
      ) : null}
      {note ? <span className={classes.note}>{note}</span> : null}
    </>
  );
}
