import type { Merchant } from "./keyring.ts";

const TEXT_CHARS_MAX = 200;
/** Six digits or more, also in groups: account and card numbers, IBANs, phones. */
const DIGITS = /\d(?:[ .\-/]?\d){5,}/g;
/** Letters and digits mixed, too long for a word: wallets, IBANs without groups, codes. */
const LONG_MIX = /\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{15,}\b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** The gateway's words as they may be kept and shown: no key of ours, no account number, one short line. */
export function redact(text: string, merchant: Merchant): string {
  let kept = text;
  for (const secret of [merchant.apiKey.reveal(), merchant.apiSecret.reveal()]) {
    kept = kept.replaceAll(secret, "[secret]");
  }
  // Cut with room to spare, so that a message of many kilobytes costs nothing; not sooner, or a part of a key is left.
  return kept
    .slice(0, 4 * TEXT_CHARS_MAX)
    .replace(CONTROL, " ")
    .replace(LONG_MIX, "[code]")
    .replace(DIGITS, "[digits]")
    .slice(0, TEXT_CHARS_MAX);
}
