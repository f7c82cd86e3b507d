import { Popover, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import type { Money } from "../../base/money.ts";
import { Amount } from "../amount.tsx";
import classes from "./list-summary.module.css";
import { messages } from "./messages.ts";

/** More currencies are behind a button. */
const CURRENCIES_MAX = 3;

/** The number of rows found, and their sum in each currency. */
export function ListSummary({
  found,
  totals,
}: {
  readonly found: ReactNode;
  /** One sum per currency, with the number of its payouts, or with that of other rows in words. */
  readonly totals: readonly (Money &
    ({ readonly payouts: number } | { readonly counted: string }))[];
}) {
  const shown = totals.slice(0, CURRENCIES_MAX);
  const others = totals.slice(CURRENCIES_MAX);
  return (
    <>
      <strong role="status">{found}</strong>
      {shown.map((total) => (
        <Amount key={total.currency} of={total} />
      ))}
      {others.length === 0 ? null : (
        <Popover position="bottom" shadow="md" radius="lg">
          <Popover.Target>
            <UnstyledButton className={classes.more}>
              {messages.moreCurrencies(others.length)}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <ul className={classes.totals}>
              {others.map((total) => (
                <li key={total.currency}>
                  <Amount of={total} />
                  <span>
                    {"counted" in total ? total.counted : messages.payouts(total.payouts)}
                  </span>
                </li>
              ))}
            </ul>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
