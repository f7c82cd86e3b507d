import { isIP } from "node:net";
import type { z } from "zod";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Merchant } from "#gateway/wire/keyring.ts";
import { wrongEntry } from "#base/schema-issues.ts";
import { isPublic } from "#notification/address.ts";

/** Parses "W1,W2". */
export const readCodes = (text: string): string[] => text.split(",").map((code) => code.trim());

/**
 * Returns what rows may override: the payout codes of the merchant of their currency, and the
 * origins that callback_url may use, which are the hosts of CALLBACK_HOSTS over https, and
 * PUBLIC_URL itself.
 */
export const overrideSettings = (
  config: { readonly CALLBACK_HOSTS: readonly string[]; readonly PUBLIC_URL?: string | undefined },
  merchants: readonly Merchant[] | null,
): Pick<RowSettings, "payoutCodes" | "callbackOrigins"> => ({
  payoutCodes:
    merchants &&
    new Map(
      merchants.flatMap(({ currencies, payoutCodes }) =>
        currencies.map((currency) => [currency, new Set(payoutCodes)] as const),
      ),
    ),
  callbackOrigins: new Set([
    ...(config.PUBLIC_URL === undefined ? [] : [new URL(config.PUBLIC_URL).origin]),
    ...config.CALLBACK_HOSTS,
  ]),
});

const EXPECTED_HOST =
  "expected public host names, each with its port if it is not 443, such as pay.example.com,shop.example:8443";

/**
 * Parses "pay.example.com,shop.example:8443" into origins. A single-word name or a private address
 * is not an internet host.
 */
export function readCallbackHosts(text: string, context: z.RefinementCtx): readonly string[] {
  return text.split(",").map((entry) => {
    const url = `https://${entry.trim()}`;
    const isHost = URL.canParse(url) && !/[/?#@\\\s]/.test(entry.trim());
    const { hostname = "", origin = "" } = isHost ? new URL(url) : {};
    const host = hostname.replaceAll(/[[\]]/g, "");
    const isOpen = isIP(host) > 0 ? isPublic(host) : /[^.]\.[^.]/.test(host) && !isLocalName(host);
    if (!isOpen) context.addIssue(wrongEntry(entry, EXPECTED_HOST));
    return origin;
  });
}

/** Names that do not resolve on the internet (RFC 6761, RFC 6762). */
const isLocalName = (host: string): boolean =>
  /\.(?:localhost|local|internal|lan|home\.arpa)\.?$/.test(host);

/**
 * Returns the callback URL of a merchant for the gateway. Null: the gateway only uses the one
 * in its back office.
 */
export const callbackUrlOf =
  (publicUrl: string | undefined) =>
  (merchantCode: string): string | null =>
    publicUrl === undefined ? null : `${publicUrl.replace(/\/+$/, "")}/callbacks/${merchantCode}`;
