import { formatMoney, type Money } from "../base/money.ts";

/** An amount with its currency code on one line, in the reader's number format. */
export function Amount({ of }: { readonly of: Money }) {
  return <span className="tabular">{formatMoney(of)}</span>;
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
