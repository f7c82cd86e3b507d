import { printable } from "#base/invisible-characters.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { ServerFlags } from "#cli/terminal/server-options.ts";
import { amountStyleOf, parseChoices, payoutSignOf } from "#reconciliation/mapping-choices.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";

/** The options of `payrun reconcile`. */
export interface StatementFlags extends ServerFlags {
  readonly lane: string;
  readonly day: string;
  readonly column: readonly string[];
  readonly word: readonly string[];
  readonly zone?: string;
  readonly amounts?: string;
  readonly sign?: string;
  readonly confirmMapping?: boolean;
  readonly outsideDay?: string;
  readonly lines?: string;
  readonly total?: string;
  readonly opening?: string;
  readonly closing?: string;
  readonly deposits?: string;
  readonly json?: boolean;
}

/** Returns the error for an option that cannot be read. */
export const usage = (text: string): CliError =>
  new CliError(EXIT.usage, `${text} No changes were made.`);

/** Returns the business day. */
export async function dayOf(text: string): Promise<string> {
  const { isDay } = await import("#reconciliation/statement-time.ts");
  if (isDay(text)) return text;
  throw usage(`--day ${text} is not a date such as 2026-11-26.`);
}

/** Returns the number in an option. Null: the option is not given. */
export function countOf(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`${option} needs a number.`);
}

/** Returns the choices of a person about how the statement is read. */
export async function changesOf({
  column,
  word,
  zone,
  amounts,
  sign: signName,
}: StatementFlags): Promise<Partial<StatementMapping>> {
  const { isZone } = await import("#schedule/calendar.ts");
  const choices = parseChoices(column, word);
  if (!choices.ok)
    throw usage(`"${printable(choices.error)}" is not a column or word with its meaning.`);
  const sign = signName === undefined ? undefined : payoutSignOf(signName);
  if (signName !== undefined && !sign) throw usage(`--sign "${signName}" is not a known sign.`);
  const style = amounts === undefined ? undefined : amountStyleOf(amounts);
  if (amounts !== undefined && !style) throw usage(`--amounts "${amounts}" is not a known style.`);
  if (zone !== undefined && !isZone(zone)) throw usage(`--zone ${zone} is not a time zone.`);
  const { columns, words } = choices.value;
  return {
    ...(column.length > 0 && { columns }),
    ...(word.length > 0 && { words }),
    ...(style && { amountStyle: style }),
    ...(sign && { payoutSign: sign }),
    ...(zone !== undefined && { zone }),
  };
}
