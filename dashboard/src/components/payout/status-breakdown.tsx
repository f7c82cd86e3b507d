import { CircleCheck, OctagonAlert } from "lucide-react";
import type { Part } from "#approval/status-breakdown.ts";
import { addAmounts, formatAmount, type Money, sameAmount } from "../../base/money.ts";
import { PlainAmount } from "../amount.tsx";
import { capitalized } from "../../base/text.ts";
import { type BatchStatus, PART_DISPLAY, partWord } from "../../base/state.ts";
import { PartDot, partsInOrder, PlainStateBar } from "./state-bar.tsx";
import { breakdownTexts } from "./status-breakdown-text.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { useFoldedRows } from "../folded-rows.tsx";
import classes from "./status-breakdown.module.css";
import { detailMessages } from "../detail-messages.tsx";
import { messages } from "../messages.tsx";

const texts = detailMessages.equation;

/** The approved or uploaded amount in one currency, and its parts by state. */
interface BreakdownLine {
  readonly currency: string;
  readonly approved: string;
  readonly parts: readonly {
    readonly part: Part;
    readonly count: number;
    readonly amount: string;
  }[];
  readonly adds_up: boolean;
}

/** The payouts follow below the amounts, so a phone first shows only some currencies. */
const ON_PHONE = { max: 4, folded: 3, label: messages.table.showCurrencies };

/** A currency with payouts in several states is shown before those that are in one. */
const severalFirst = (lines: readonly BreakdownLine[]): readonly BreakdownLine[] => {
  const isSeveral = (line: BreakdownLine): boolean => partsInOrder(line.parts).length > 1;
  return [...lines.filter(isSeveral), ...lines.filter((line) => !isSeveral(line))];
};

/** The parts that have a value in at least one currency. */
const shownParts = (lines: readonly BreakdownLine[]): Part[] =>
  (Object.keys(PART_DISPLAY) as Part[]).filter((part) =>
    lines.some((line) => partOf(line, part).count > 0),
  );

const partOf = ({ parts }: BreakdownLine, part: Part) =>
  parts.find((each) => each.part === part) ?? { part, count: 0, amount: "0" };

/** Checks the sum of the shown amounts in addition to the server's own check. */
const addsUp = ({ adds_up, approved, parts }: BreakdownLine): boolean =>
  adds_up && sameAmount(approved, addAmounts(parts.map(({ amount }) => amount)));

/**
 * Approved or uploaded amount = the sum of its states, per currency. A state without payouts has no
 * column.
 */
export function StatusBreakdown({
  lines,
  fees,
  isApproved,
  batch,
}: {
  readonly lines: readonly BreakdownLine[];
  /** The fees that the gateway reported for settled payouts, which are no part of the amounts. */
  readonly fees: readonly Money[];
  readonly isApproved: boolean;
  readonly batch: BatchStatus;
}) {
  const { total, caption } = breakdownTexts(isApproved);
  const phone = useFoldedRows(severalFirst(lines), ON_PHONE);
  return (
    <>
      <ul className={classes.phone} aria-label={caption}>
        {phone.rows.map(({ currency, approved, parts }) => (
          <li key={currency}>
            <strong>{currency}</strong>
            <strong>
              <PlainAmount of={{ currency, amount: approved }} />
            </strong>
            <PlainStateBar parts={parts} />
            <AmountsByPart
              currency={currency}
              parts={parts}
              batch={batch}
              fee={feeIn(fees, currency)}
            />
          </li>
        ))}
        {phone.isFolded ? <li>{phone.button}</li> : null}
      </ul>
      <div className={classes.compact}>
        <DataTable
          caption={caption}
          hideCaption
          columns={[
            CURRENCY,
            totalColumn(total),
            ...shownParts(lines).map(partColumn(batch)),
            ...(fees.length === 0 ? [] : [feesColumn(fees)]),
          ]}
          rows={lines}
          rowKey={({ currency }) => currency}
        />
      </div>
    </>
  );
}

const feeIn = (fees: readonly Money[], currency: string): string | undefined =>
  fees.find((fee) => fee.currency === currency)?.amount;

const feesColumn = (fees: readonly Money[]): Column<BreakdownLine> => ({
  key: "fees",
  header: texts.fees,
  numeric: true,
  cell: ({ currency }) => {
    const fee = feeIn(fees, currency);
    return (
      <span className={classes.none}>
        {fee === undefined ? "–" : <PlainAmount of={{ currency, amount: fee }} />}
      </span>
    );
  },
});

/** The amount of each state below a bar, unless all payouts are in the same state, and the fees. */
function AmountsByPart({
  currency,
  parts,
  batch,
  fee,
}: Pick<BreakdownLine, "currency" | "parts"> & {
  readonly batch: BatchStatus;
  readonly fee: string | undefined;
}) {
  const all = partsInOrder(parts);
  const shown = all.length < 2 ? [] : all;
  if (shown.length === 0 && fee === undefined) return null;
  return (
    <p className={classes.amounts}>
      {shown.map(({ part, amount }) => (
        <span key={part} data-proven={part === "settled" || undefined}>
          <PartDot part={part} />
          <span className="tabular">
            <PlainAmount of={{ currency, amount }} /> {partWord(part, batch)}
          </span>
        </span>
      ))}
      {fee === undefined ? null : (
        <span className="tabular">{texts.feesOf(formatAmount(fee, currency))}</span>
      )}
    </p>
  );
}

const CURRENCY: Column<BreakdownLine> = {
  key: "currency",
  header: texts.currency,
  names: true,
  cell: ({ currency }) => currency,
};

const totalColumn = (header: string): Column<BreakdownLine> => ({
  key: "total",
  header: capitalized(header),
  numeric: true,
  card: "amount",
  cell: ({ currency, approved }) => (
    <strong>
      <PlainAmount of={{ currency, amount: approved }} />
    </strong>
  ),
});

const partColumn =
  (batch: BatchStatus) =>
  (part: Part, at: number): Column<BreakdownLine> => ({
    key: part,
    header: capitalized(partWord(part, batch)),
    sign: at === 0 ? "=" : "+",
    numeric: true,
    proven: part === "settled",
    isBlank: (line) => partOf(line, part).count === 0,
    cell: (line) => {
      const { count, amount } = partOf(line, part);
      return count === 0 ? (
        <span className={classes.none}>–</span>
      ) : (
        <span data-part={part} className={classes.some}>
          <PlainAmount of={{ currency: line.currency, amount }} />
        </span>
      );
    },
  });

/**
 * One verdict for all currencies: whether each approved or uploaded amount is the sum of its
 * states. Otherwise it names the currencies that are not balanced.
 */
export function BalanceVerdict({
  lines,
  isApproved,
  onlyIfWrong = false,
}: {
  readonly lines: readonly BreakdownLine[];
  readonly isApproved: boolean;
  /** Says nothing about amounts that are balanced. */
  readonly onlyIfWrong?: boolean;
}) {
  const wrong = lines.filter((line) => !addsUp(line)).map(({ currency }) => currency);
  const isGood = wrong.length === 0;
  if (isGood && onlyIfWrong) return null;
  const Icon = isGood ? CircleCheck : OctagonAlert;
  return (
    <span className={classes.verdict} data-tone={isGood ? "settled" : "declined"}>
      <Icon size={16} aria-hidden />
      {isGood
        ? texts.balanced(breakdownTexts(isApproved).total)
        : texts.notBalanced(wrong.join(", "))}
    </span>
  );
}
