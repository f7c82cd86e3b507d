import { layoutCarries } from "#app/layout-capabilities.ts";
import { type Config, ConfigError, settingText } from "#app/config.ts";
import { type Merchant, merchantOf, parseMerchants } from "#gateway/wire/keyring.ts";
import { CURRENCIES } from "#money/currency.ts";
import { isLocalHost } from "#notification/address.ts";
import { resendLimitMs } from "#payout/resend.ts";
import { RAW_SIGN, RAW_SIGNS } from "#payout/rules/layout-limits.ts";
import { laneOf } from "#payout/payout.ts";

export interface GatewayConfig {
  readonly url: string;
  readonly merchants: readonly Merchant[];
}

/**
 * Returns the configuration that commands with access to the gateway need in addition.
 * @throws ConfigError that lists everything missing.
 */
export function gatewayConfig(config: Config): GatewayConfig {
  const problems: string[] = [];
  if (!config.GATEWAY_URL)
    problems.push("GATEWAY_URL is not set. Set it to the gateway's base URL");
  else if (isUnencrypted(config.GATEWAY_URL) && !mayBeUnencrypted(config)) {
    problems.push(
      "GATEWAY_URL is unencrypted http: anyone on the network path can change payouts. Use its https URL, or set GATEWAY_ALLOW_HTTP=yes if the connection is protected by other means",
    );
  } else if (config.NODE_TLS_REJECT_UNAUTHORIZED === "0" && !mayBeUnencrypted(config)) {
    problems.push(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks: anyone on the network path can pose as the gateway and change payouts. Remove it. If the gateway's certificate comes from a private certificate authority, set NODE_EXTRA_CA_CERTS to that authority's certificate file",
    );
  }
  const merchants = readMerchants(config, problems);
  if (config.PUBLIC_URL && layoutCarries(config) === "raw" && RAW_SIGN.test(config.PUBLIC_URL)) {
    problems.push(
      `PUBLIC_URL contains one of ${RAW_SIGNS}, which name=value messages cannot carry`,
    );
  }
  problems.push(...findUnusedLaneSettings(config, merchants), ...resendAfterProblems(config));
  if (problems.length > 0 || !config.GATEWAY_URL) throw new ConfigError(problems);
  return { url: config.GATEWAY_URL, merchants };
}

/**
 * Returns the configured merchants for code that does not connect to the gateway. Null: none are
 * configured.
 * @throws ConfigError if they are invalid.
 */
export function merchantsIfAny(config: Config): readonly Merchant[] | null {
  if (!config.MERCHANTS_FILE && SINGLE.every((name) => config[name] === undefined)) return null;
  const problems: string[] = [];
  const merchants = readMerchants(config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return merchants;
}

/**
 * Minimum wait in milliseconds. Shorter waits, after which many requests are still in progress, are
 * for gateways that move no money.
 */
const RESEND_AFTER_MIN_MS = 60_000;

/**
 * Validates RESEND_AFTER_MS. A wait that is too short repeats a request in progress; one that is
 * too long never repeats a lost one.
 */
function resendAfterProblems(config: Config): readonly string[] {
  const { RESEND_AFTER_MS, GATEWAY_REMEMBERS_HOURS, GATEWAY_URL, GATEWAY_SANDBOX_URL } = config;
  const isReal =
    GATEWAY_URL !== undefined &&
    GATEWAY_URL !== GATEWAY_SANDBOX_URL &&
    !isThisMachine(new URL(GATEWAY_URL));
  if (isReal && RESEND_AFTER_MS < RESEND_AFTER_MIN_MS) {
    return [
      `RESEND_AFTER_MS must be at least ${RESEND_AFTER_MIN_MS} for a gateway that moves money (found ${RESEND_AFTER_MS}): otherwise a request that the gateway is still processing could be sent again and paid twice`,
    ];
  }
  const resendWithinMs = resendLimitMs(GATEWAY_REMEMBERS_HOURS * 3_600_000);
  if (resendWithinMs > 0 && RESEND_AFTER_MS >= resendWithinMs) {
    return [
      `RESEND_AFTER_MS must be less than ${resendWithinMs} with GATEWAY_REMEMBERS_HOURS ${GATEWAY_REMEMBERS_HOURS} (found ${RESEND_AFTER_MS}): otherwise no lost request could ever be sent again. Lower RESEND_AFTER_MS, or raise GATEWAY_REMEMBERS_HOURS if the gateway refuses repeated codes for longer`,
    ];
  }
  return [];
}

/**
 * Rejects settings of a lane without payouts, which would never apply: its circuit breaker would
 * not open, and a late payment would be reported as in time.
 */
function findUnusedLaneSettings(
  { CIRCUIT_BREAKERS, CUT_OFFS }: Config,
  merchants: readonly Merchant[],
): readonly string[] {
  const lanes = merchants.flatMap(({ merchantCode, currencies }) =>
    currencies.map((currency) => laneOf(merchantCode, currency)),
  );
  if (lanes.length === 0) return [];
  const notPaid = (setting: string, named: readonly string[]) =>
    [...new Set(named)]
      .filter((name) => name.includes("/") && !lanes.includes(name))
      .map(
        (name) =>
          `${setting} contains an invalid entry, "${name}": expected a currency or one of the configured lanes: ${lanes.join(", ")}`,
      );
  const braked = [...CIRCUIT_BREAKERS.keys()].map((key) =>
    key.slice(0, Math.max(key.lastIndexOf("."), 0)),
  );
  return [...notPaid("CIRCUIT_BREAKERS", braked), ...notPaid("CUT_OFFS", [...CUT_OFFS.keys()])];
}

const SINGLE = ["MERCHANT_CODE", "MERCHANT_API_KEY", "MERCHANT_API_SECRET", "PAYOUT_CODE"] as const;

function readMerchants(config: Config, problems: string[]): readonly Merchant[] {
  const single = [...SINGLE, "PAYMENT_CODE" as const, "MERCHANT_NAME" as const].filter(
    (name) => config[name] !== undefined,
  );
  if (config.MERCHANTS_FILE) {
    if (single.length > 0) {
      problems.push(`MERCHANTS_FILE and ${single.join(", ")} are both set: set only one of them`);
    }
    const name = `MERCHANTS_FILE ${config.MERCHANTS_FILE}`;
    try {
      const merchants = parseMerchants(JSON.parse(settingText(name, config.MERCHANTS_FILE)));
      if (merchants.ok) return merchants.value;
      problems.push(`${name}: ${merchants.error}`);
    } catch (error) {
      if (error instanceof ConfigError) problems.push(...error.problems);
      // The message of the JSON parser may quote a secret.
      else problems.push(`${name}: expected a JSON list of merchants, found invalid JSON`);
    }
    return [];
  }
  const { MERCHANT_CODE, MERCHANT_API_KEY, MERCHANT_API_SECRET, PAYOUT_CODE } = config;
  if (!MERCHANT_CODE || !MERCHANT_API_KEY || !MERCHANT_API_SECRET || !PAYOUT_CODE) {
    const missing = SINGLE.filter((name) => config[name] === undefined);
    problems.push(
      single.length === 0
        ? `no merchant is configured: set MERCHANTS_FILE, or ${SINGLE.join(", ")}`
        : `${missing.join(", ")} must be set together with ${single.join(", ")}`,
    );
    return [];
  }
  const crypto = [...config.CRYPTO_CURRENCIES.keys()];
  return [
    merchantOf({
      merchant_code: MERCHANT_CODE,
      api_key: MERCHANT_API_KEY.reveal(),
      api_secret: MERCHANT_API_SECRET.reveal(),
      payout_code: PAYOUT_CODE,
      payout_codes: config.PAYOUT_CODES,
      payment_code: config.PAYMENT_CODE,
      display_name: config.MERCHANT_NAME,
      currencies: [...Object.keys(CURRENCIES), ...crypto],
    }),
  ];
}

/** Returns whether a connection has no TLS and leaves this machine (F113). */
export function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol !== "https:" && !isThisMachine({ hostname });
}

const isThisMachine = ({ hostname }: Pick<URL, "hostname">): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Unencrypted connections are allowed if no real money moves, within a private network, or if
 * explicitly configured.
 */
const mayBeUnencrypted = ({ GATEWAY_ALLOW_HTTP, GATEWAY_URL = "", GATEWAY_SANDBOX_URL }: Config) =>
  GATEWAY_ALLOW_HTTP ||
  GATEWAY_URL === GATEWAY_SANDBOX_URL ||
  isLocalHost(new URL(GATEWAY_URL).hostname);
