import type { AmountTally } from "#intake/amount-detection.ts";
import type { Find } from "#intake/cell-check.ts";
import type { CurrencyPlan } from "#intake/row-plan.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { missingValueCode } from "#intake/text/error-values.ts";
import { groupedAmount } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import { AMOUNT_STYLES, parseMoney } from "#money/parse.ts";

/**
 * Reads the amount of a row in the format of the file, and counts it in the tally. A row of an
 * unknown currency is not counted.
 */
export function readAmount(
  { text, kind }: { readonly text: string; readonly kind: "text" | "number" },
  plan: CurrencyPlan,
  {
    settings,
    tally,
    find,
  }: { readonly settings: RowSettings; readonly tally: AmountTally | null; readonly find: Find },
): Money | null {
  const { unit, limit } = plan;
  const amount = parseMoney(text, unit, settings.amountStyle);
  const money = amount.ok ? amount.value : null;
  if (unit.currency !== "") {
    if (kind === "number") tally?.addNumber(money);
    else tally?.add(text, unit, money);
  }
  if (!amount.ok) {
    const { example } = AMOUNT_STYLES[settings.amountStyle];
    const values = {
      example,
      style: settings.amountStyle === "plain" ? "a plain amount" : settings.amountStyle,
      currency: unit.currency,
      digits: Math.min(unit.minorDigits, unit.gatewayDigits),
    };
    const none = amount.error === "amount_not_a_number" ? missingValueCode(text) : null;
    find("transaction_amount", text)({ code: none ?? amount.error, values });
    return null;
  }
  if (limit !== null && amount.value.minor > limit) {
    const values = {
      currency: unit.currency,
      limit: groupedAmount({ ...amount.value, minor: limit }),
    };
    find("transaction_amount", text)({ code: "amount_above_limit", values });
  }
  return amount.value;
}
