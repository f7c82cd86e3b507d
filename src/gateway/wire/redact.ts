import type { Merchant } from "./keyring.ts";

const TEXT_CHARS_MAX = 200;
/** Six or more digits, also in groups: account and card numbers, IBANs, phone numbers. */
const DIGITS = /\d(?:[ .\-/]?\d){5,}/g;
/** Mixed letters and digits, too long for a word: wallets, IBANs without groups, codes. */
const LONG_MIX = /\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{15,}\b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Makes the gateway's text safe to store and show: without our keys and account numbers, on one
 * short line.
 */
export function redact(text: string, merchant: Merchant): string {
  let kept = text;
  for (const secret of [merchant.apiKey.reveal(), merchant.apiSecret.reveal()]) {
    kept = kept.replaceAll(secret, "[secret]");
  }
  // Cut with a margin, so a message of many kilobytes costs nothing. An earlier cut could leave a
  // part of a key.
  return kept
    .slice(0, 4 * TEXT_CHARS_MAX)
    .replace(CONTROL, " ")
    .replace(LONG_MIX, "[code]")
    .replace(DIGITS, "[digits]")
    .slice(0, TEXT_CHARS_MAX);
}
