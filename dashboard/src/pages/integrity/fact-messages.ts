import { inLanguage } from "../../base/language.ts";

// biome-ignore format: the columns are the point
const names: Readonly<Record<string, string>> = {
  acknowledged:     "Findings checked by the approver",
  amounts:          "Amount format",
  bank_account:     "Account",
  count:            "Payouts",
  content_digest:   "Digest of the content",
  date_offset_ms:   "Gateway's clock less payrun's (ms)",
  date_offset:      "Gateway's clock less payrun's",
  digest:           "Digest",
  elapsed_ms:       "Response time (ms)",
  expires_at:       "Valid until",
  file_digest:      "Digest of the file",
  http_status:      "HTTP status",
  key:              "Encryption key",
  leave_out:        "Without rows with problems",
  left_out:         "Rows excluded",
  people:           "People required",
  rejected:         "Rows with problems",
  root:             "Digest of all entries",
  second_factor:    "With a second factor",
  step_up:          "Password or code entered again",
  totp:             "With an authenticator app",
  url:              "Address",
};

/** Users that are parts of payrun. */
// biome-ignore format: the columns are the point
const parts: Readonly<Record<string, string>> = {
  sweep:     "payrun (scan for due payouts)",
  tick:      "payrun (schedules)",
  worker:    "payrun (worker)",
  gateway:   "Gateway",
  payrun:    "payrun",
  system:    "payrun",
  statement: "payrun (statement)",
};

const en = { names, parts, yes: "yes", no: "no" };

export const messages = inLanguage({ en });
