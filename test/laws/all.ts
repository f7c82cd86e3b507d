import { ADDRESS_LAWS } from "./payout/addresses.ts";
import { ANSWER_LAWS } from "./gateway/answers.ts";
import { CALLBACK_LAWS } from "./gateway/callbacks.ts";
import { CELL_LAWS } from "./intake/cells.ts";
import { CIPHER_LAWS } from "./gateway/cipher.ts";
import { CODE_LAWS } from "./payout/codes.ts";
import { DECISION_LAWS } from "./payout/decisions.ts";
import { ENCODING_LAWS } from "./intake/encodings.ts";
import { FAILURE_LAWS } from "./gateway/failures.ts";
import { FILE_LAWS } from "./intake/files.ts";
import { JSON_LAWS } from "./gateway/json.ts";
import type { Law } from "./base/law.ts";
import { LIFECYCLE_LAWS } from "./payout/lifecycles.ts";
import { MESSAGE_LAWS } from "./gateway/messages.ts";
import { MONEY_LAWS } from "./money.ts";
import { ROW_LAWS } from "./intake/rows.ts";
import { STATUS_LAWS } from "./gateway/status.ts";

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
