import { type Command, Option } from "commander";
import { type ColumnMapping, parseMapping } from "#intake/header/column-mapping.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { collect } from "#cli/terminal/totals.ts";
import { AMOUNT_STYLE_NAMES, type AmountStyle } from "#money/parse.ts";

/** The statements about how to read a file, as they are typed. */
export interface ReadingFlags {
  readonly amounts?: AmountStyle;
  readonly column?: readonly string[];
  readonly currency?: string;
}

/** Adds the options that say how to read a file. */
export const withReadingOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--amounts <format>",
        "number format of the amounts in the file (default: AMOUNT_STYLE, otherwise plain; required if another format also fits)",
      ).choices(AMOUNT_STYLE_NAMES),
    )
    .option(
      "--column <NAME=COLUMN>",
      "map a file column with another name to a payrun column, such as Amount=transaction_amount; NAME= ignores the file column; repeatable",
      collect,
    )
    .option("--currency <CUR>", "currency of all rows, for a file without a currency column");

/** Returns the statements as the flows take them. @throws CliError if a mapping is not valid. */
export function readingChoices({ amounts, column, currency }: ReadingFlags): {
  readonly amounts?: AmountStyle;
  readonly columns?: ColumnMapping;
  readonly currency?: string;
} {
  const columns = column && parseMapping(column);
  if (columns && !columns.ok) {
    throw new CliError(
      EXIT.usage,
      `--column ${columns.error}: expected NAME=COLUMN, such as "Amount=transaction_amount"`,
    );
  }
  if (currency !== undefined && !/^[A-Z]{3,8}$/.test(currency)) {
    throw new CliError(EXIT.usage, `--currency ${currency}: expected a code such as INR`);
  }
  return {
    ...(amounts && { amounts }),
    ...(columns && { columns: columns.value }),
    ...(currency && { currency }),
  };
}
