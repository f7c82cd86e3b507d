import type { Column } from "#intake/header/columns.ts";
import { type FieldPlan, planRowRules, type PlanSettings } from "#intake/row-plan.ts";
import { groupedAmount } from "#money/format.ts";
import type { Need } from "#payout/rules/currency-rules.ts";

/** Describes one column of a file for one currency. */
export interface GuideColumn {
  readonly column: Column;
  readonly need: Need;
  readonly expected: string;
}

/** Returns exactly the columns that payouts of a currency need. Null: the currency is unknown. */
export function columnGuideOf(
  currency: string,
  settings: PlanSettings,
): readonly GuideColumn[] | null {
  const plan = planRowRules(new Map(), settings).byCurrency.get(currency);
  if (!plan) return null;
  const { unit, limit } = plan;
  const field = ({ column, need, expected }: FieldPlan): GuideColumn => ({
    column,
    need,
    expected,
  });
  const digits = Math.min(unit.minorDigits, unit.gatewayDigits);
  const decimals = digits === 0 ? "without decimals" : `with at most ${digits} decimals`;
  const most =
    limit === null
      ? ""
      : `, at most ${groupedAmount({ currency, minor: limit, minorDigits: unit.minorDigits })}`;
  const [user, ...others] = plan.fields.map(field);
  const amount: GuideColumn = {
    column: "transaction_amount",
    need: "required",
    expected: `an amount above zero ${decimals}${most}`,
  };
  return [
    ...(user ? [user] : []),
    { column: "currency_code", need: "required", expected: currency },
    amount,
    ...others,
    { column: "reference", need: "optional", expected: "your own note, never sent to the gateway" },
  ];
}

/** Builds sample rows that show the columns and cannot be paid: the amount is zero. */
export function templateRows(currency: string, guide: readonly GuideColumn[]): string[][] {
  const SAMPLE: Readonly<Partial<Record<Column, string>>> = {
    user_id: "SAMPLE",
    currency_code: currency,
    transaction_amount: "0",
    account_name: "Sample row, delete it",
  };
  return [guide.map(({ column }) => column), guide.map(({ column }) => SAMPLE[column] ?? "")];
}
