import { ADDRESS_LAWS } from "./addresses.ts";
import { ANSWER_LAWS } from "./answers.ts";
import { CALLBACK_LAWS } from "./callbacks.ts";
import { CELL_LAWS } from "./cells.ts";
import { CIPHER_LAWS } from "./cipher.ts";
import { CODE_LAWS } from "./codes.ts";
import { DECISION_LAWS } from "./decisions.ts";
import { ENCODING_LAWS } from "./encodings.ts";
import { FAILURE_LAWS } from "./failures.ts";
import { FILE_LAWS } from "./files.ts";
import { JSON_LAWS } from "./json.ts";
import type { Law } from "./law.ts";
import { LIFECYCLE_LAWS } from "./lifecycles.ts";
import { MESSAGE_LAWS } from "./messages.ts";
import { MONEY_LAWS } from "./money.ts";
import { ROW_LAWS } from "./rows.ts";
import { STATUS_LAWS } from "./status.ts";

/** Every law of the product, by subject. */
export const LAWS: Readonly<Record<string, readonly Law[]>> = {
  money: MONEY_LAWS,
  files: FILE_LAWS,
  encodings: ENCODING_LAWS,
  rows: ROW_LAWS,
  cells: CELL_LAWS,
  "codes and numbers": CODE_LAWS,
  "wallet addresses": ADDRESS_LAWS,
  messages: MESSAGE_LAWS,
  JSON: JSON_LAWS,
  "the cipher": CIPHER_LAWS,
  "payout answers": ANSWER_LAWS,
  "failures and redaction": FAILURE_LAWS,
  "status answers": STATUS_LAWS,
  callbacks: CALLBACK_LAWS,
  decisions: DECISION_LAWS,
  "lifecycles, approval and reasons": LIFECYCLE_LAWS,
};
