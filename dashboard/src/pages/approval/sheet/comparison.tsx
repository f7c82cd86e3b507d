import type { Column } from "../../../components/data-table.tsx";
import { PlainAmount } from "../../../components/amount.tsx";
import { AccountEnding, FindingRows } from "./finding-rows.tsx";
import { messages } from "../messages.tsx";
import type { BatchComparison } from "../queries.ts";
import classes from "./totals.module.css";

const texts = messages.comparison;

type Row = BatchComparison["parts"][number]["rows"][number];

/** The differences from the previous batch: the same accounts on one line, and other rows. */
export function ComparisonParts({ of: { against, parts } }: { readonly of: BatchComparison }) {
  if (!against) return null;
  const same = parts.find(({ part }) => part === "same");
  return (
    <div>
      <div className={classes.parts}>
        {same ? (
          <span>
            <strong>{same.count.toLocaleString()}</strong> {same.says}
          </span>
        ) : null}
      </div>
      {parts
        .filter(({ part }) => part !== "same")
        .map((part) => (
          <FindingRows
            key={part.part}
            of={part}
            columns={part.rows.some(({ before }) => before !== null) ? [BEFORE] : []}
          />
        ))}
    </div>
  );
}

const BEFORE: Column<Row> = {
  key: "before",
  header: texts.before,
  numeric: true,
  cell: ({ currency, before, account_last4 }) =>
    before === null ? (
      "–"
    ) : (
      <>
        <PlainAmount of={{ currency, amount: before.amount }} />
        {before.account_last4 === account_last4 ? null : (
          <AccountEnding of={before.account_last4} />
        )}
      </>
    ),
};
