import { ANSWER_LAWS } from "./answers.ts";
import { CALLBACK_LAWS } from "./callbacks.ts";
import { CIPHER_LAWS } from "./cipher.ts";
import { FAILURE_LAWS } from "./failures.ts";
import { JSON_LAWS } from "./json.ts";
import { MESSAGE_LAWS } from "./messages.ts";
import { STATUS_LAWS } from "./status.ts";
import { hold } from "../base/hold.ts";

hold({
  messages: MESSAGE_LAWS,
  JSON: JSON_LAWS,
  "the cipher": CIPHER_LAWS,
  "payout answers": ANSWER_LAWS,
  "failures and redaction": FAILURE_LAWS,
  "status answers": STATUS_LAWS,
  callbacks: CALLBACK_LAWS,
});
