import { checkFreeText } from "#intake/cell-check.ts";
import { missingValueCode } from "#intake/text/error-values.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Carries } from "#payout/rules/layout-limits.ts";
import type { Find } from "#intake/cell-check.ts";

const PAYOUT_CODE = /^[A-Za-z0-9_-]{1,32}$/;
export const CALLBACK_LENGTH_MAX = 500;

/**
 * Validates the payout code of a row: its form, and that it belongs to the merchant of the
 * currency.
 */
export function checkPayoutCode(
  code: string,
  currency: string,
  { payoutCodes }: RowSettings,
  find: Find,
): void {
  const report = find("payout_code", code);
  const none = missingValueCode(code);
  if (none !== null) return report({ code: none });
  if (!PAYOUT_CODE.test(code)) return report({ code: "bad_payout_code" });
  const known = payoutCodes?.get(currency);
  if (known && !known.has(code)) {
    report({ code: "payout_code_not_allowed", values: { currency, codes: [...known].join(", ") } });
  }
}

/** Validates the callback address of a row: its form, and that its host is allowed. */
export function checkCallback(
  url: string,
  carries: Carries,
  settings: RowSettings,
  find: Find,
): void {
  if (url === "") return;
  const report = find("callback_url", url);
  const none = missingValueCode(url);
  if (none !== null) return report({ code: none });
  checkFreeText(url, CALLBACK_LENGTH_MAX, report, carries);
  if (!/^https?:\/\/[^\s/]/i.test(url) || !URL.canParse(url)) {
    return report({ code: "bad_callback_url" });
  }
  const { origin, username, password } = new URL(url);
  if (username !== "" || password !== "") return report({ code: "callback_with_password" });
  const { callbackOrigins } = settings;
  if (callbackOrigins.has(origin)) return;
  const origins = [...callbackOrigins].join(", ") || "none configured";
  report({ code: "callback_not_allowed", values: { origin, origins } });
}
