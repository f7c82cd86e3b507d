import { DETAIL_FIELDS } from "#payout/payout.ts";

/** Every column that payrun reads, named as the specification names the parameter. */
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

/** Without these no row of any currency can be paid, so their absence stops the file. */
export const REQUIRED_COLUMNS: readonly Column[] = [
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
];

/** Where each column stands in the file, from 0; a column that is not in the file is not in the map. */
export type ColumnPlaces = ReadonlyMap<Column, number>;
