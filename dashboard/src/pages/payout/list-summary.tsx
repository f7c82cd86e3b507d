import { Popover, UnstyledButton } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import type { Answer } from "../../server/client.ts";
import classes from "./list-summary.module.css";
import { messages } from "./messages.ts";

const texts = messages.list;

/** The number and sums of the payouts found. */
export type PayoutSummary = Answer<"GET /api/payout-summary">;

/** More currencies are behind a button. */
const CURRENCIES_MAX = 3;

/** The number of payouts found, and their sum in each currency. */
export function ListSummary({ of: { count, count_max, totals } }: { readonly of: PayoutSummary }) {
  const shown = totals.slice(0, CURRENCIES_MAX);
  const others = totals.slice(CURRENCIES_MAX);
  return (
    <>
      <strong role="status">
        {count === null ? texts.tooMany(count_max) : texts.found(count)}
      </strong>
      {shown.map((total) => (
        <Amount key={total.currency} of={total} />
      ))}
      {others.length === 0 ? null : (
        <Popover position="bottom" shadow="md" radius="lg">
          <Popover.Target>
            <UnstyledButton className={classes.more}>
              {texts.moreCurrencies(others.length)}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <ul className={classes.totals}>
              {others.map((total) => (
                <li key={total.currency}>
                  <Amount of={total} />
                  <span>{texts.payouts(total.payouts)}</span>
                </li>
              ))}
            </ul>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
