import { DETAIL_FIELDS } from "#payout/payout.ts";

/** Every column that payrun reads, named like the parameter in the specification. */
export const COLUMNS = [
  ...DETAIL_FIELDS,
  "currency_code",
  "transaction_amount",
  "transaction_code",
  "payout_code",
  "callback_url",
  "reference",
] as const;

export type Column = (typeof COLUMNS)[number];

/**
 * Columns without which no row of any currency can be paid. The file is refused if one is missing.
 */
export const REQUIRED_COLUMNS: readonly Column[] = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
];

/**
 * Position of each column in the file, starting at 0. Columns that the file lacks are not in the
 * map.
 */
export type ColumnPlaces = ReadonlyMap<Column, number>;
