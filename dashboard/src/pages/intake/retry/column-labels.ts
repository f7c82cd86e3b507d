import { messages as common } from "../../../base/messages.ts";
import { messages } from "./messages.ts";
import type { EditableColumn } from "./queries.ts";

const LABELS: Partial<Record<EditableColumn, string>> = {
  transaction_amount: messages.amount,
  payout_code: messages.payoutCode,
  callback_url: messages.callback,
  reference: messages.reference,
};
/** The label of a column of a row. */
export const labelOf = (column: EditableColumn): string =>
  LABELS[column] ?? common.fields[column] ?? column;
