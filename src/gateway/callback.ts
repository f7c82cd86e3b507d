import type { StatusRecord } from "#payout/outcome.ts";
import type { Cipher } from "#gateway/wire/cipher.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { decode } from "#gateway/wire/layout.ts";
import { CALLBACK_BODY, CALLBACK_FIELDS, type CallbackFields } from "#gateway/wire/messages.ts";
import { stateOf } from "./transaction-states.ts";

/**
 * The content of a callback. Nothing authenticates it except that it could be decrypted
 * (gateway.md section 8), so it is a hint to query the status and never evidence (F70).
 */
export interface CallbackHint {
  readonly kind: "payout" | "deposit";
  readonly merchantCode: string;
  readonly transactionCode: string;
  readonly transactionNo: string | null;
  readonly state: StatusRecord["state"];
  /** The amount exactly as written, unparsed. */
  readonly amount: string;
  /** The fee exactly as written, unparsed. Null: not given. */
  readonly fee: string | null;
  readonly currency: string;
  /**
   * For deposits: the amount actually paid according to its name, or the amount less the fee
   * according to the sample. Exactly as written, and not proven.
   */
  readonly actualAmount: string | null;
}

const SHAPE = { numbers: [], verbatim: [] };
/**
 * Parsed instead of a text that could not be decrypted, so a bad padding takes as long as a good
 * one (F111).
 */
const DECOY = JSON.stringify({
  transaction_no: "WD0",
  transaction_code: "",
  transaction_status: 2,
  transaction_amount: "0.00",
  transaction_fee: "0.00",
  currency_code: "XXX",
  transaction_ref: "",
});

/**
 * Decrypts the body of a callback (already parsed JSON or form fields). Null: it is not a valid
 * callback of one of our merchants. Never throws. Every key is tried, whatever the result of the
 * earlier ones.
 */
export function openCallback(body: unknown, keyring: Keyring): CallbackHint | null {
  const parsed = CALLBACK_BODY.safeParse(body);
  const envelope = parsed.success
    ? parsed.data
    : { key: "", transaction_code: "", transaction_no: null };

  const hints = keyring.all.flatMap((merchant) => {
    const fields = readSealed(keyring.cipherOf(merchant), envelope.key);
    if (!fields) return [];
    const hint: CallbackHint = {
      kind: kindOf(fields),
      merchantCode: merchant.merchantCode,
      transactionCode: fields.transaction_code,
      transactionNo: fields.transaction_no ?? null,
      state: stateOf(fields.transaction_status),
      amount: fields.transaction_amount,
      fee: fields.transaction_fee ?? null,
      currency: fields.currency_code,
      actualAmount: fields.transaction_actual_amount ?? null,
    };
    const agrees =
      hint.transactionCode === envelope.transaction_code &&
      (envelope.transaction_no == null || envelope.transaction_no === hint.transactionNo);
    // Two merchants may share a key pair. The currency identifies the merchant.
    return agrees && merchant.currencies.includes(hint.currency) ? [hint] : [];
  });
  return hints[0] ?? null;
}

/** The number decides (gateway.md section 10), or else the field that only deposits have. */
function kindOf(fields: CallbackFields): CallbackHint["kind"] {
  const [, prefix] = /^(DP|WD)/.exec(fields.transaction_no ?? "") ?? [];
  if (prefix !== undefined) return prefix === "DP" ? "deposit" : "payout";
  return fields.transaction_actual_amount === undefined ? "payout" : "deposit";
}

function readSealed(cipher: Cipher, key: string) {
  const opened = cipher.open(key);
  const text = opened.ok ? opened.value : DECOY;
  const layout = text.startsWith("{") ? "json" : "name=value";
  const fields = decode(text, SHAPE, { layout, escaping: "none" });
  if (!fields.ok) return null;
  const parsed = CALLBACK_FIELDS.safeParse(Object.fromEntries(fields.value));
  return opened.ok && parsed.success ? parsed.data : null;
}
