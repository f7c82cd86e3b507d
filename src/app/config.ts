import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { layoutCarries, merchantLayoutsCarry } from "#app/layout-capabilities.ts";
import { nameValueList } from "#app/name-value-pairs.ts";
import { renamedProblems } from "#app/renamed-settings.ts";
import { overrideSettings, readCallbackHosts, readCodes } from "#app/row-overrides.ts";
import {
  parseCutOffs,
  parseCircuitBreakers,
  parseCrypto,
  parseAmountLimits,
} from "#app/currency-settings.ts";
import { type CryptoCurrencies, defaultLimits, unitsOf } from "#intake/amount-limits.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { CONNECTIONS_DEFAULT, CONNECTIONS_MAX, CONNECTIONS_MIN } from "#app/connections.ts";
import type { Merchant } from "#gateway/wire/keyring.ts";
import {
  MERCHANT_CODE,
  MERCHANT_CODE_FORM,
  MERCHANT_NAME,
  MERCHANT_NAME_FORM,
} from "#gateway/wire/messages.ts";
import { describeFound, describeIssue, isEntryNamed } from "#base/schema-issues.ts";
import { isKey, KEY_FORM } from "#ledger/store/sealing.ts";
import { isNetwork } from "#base/network.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { type LaneThresholds, laneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import { parseRedisUrl } from "#jobs/redis-url.ts";
import { Secret } from "#base/secret.ts";
import { isDatabaseAddress } from "#postgres/hosts.ts";
import { isPlainBaseUrl, plaintextProblems } from "#app/transport-security.ts";

/** Invalid configuration: lists every invalid or missing variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

const url = (schemes: RegExp, what: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.test(text), `must be ${what}`);
/** A database address, possibly of several hosts. */
const databaseUrl = (what: string) =>
  z
    .string()
    .refine(
      isDatabaseAddress,
      `must be ${what}, or with several hosts host:port,host:port and at most target_session_attrs=read-write`,
    );
const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);
const secret = z.string().transform((text) => new Secret(text));
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
const HOST_NAMES = /^[\w.-]+(,[\w.-]+)*$/;
const YES_OR_NO = z
  .enum(["no", "yes"])
  .default("no")
  .transform((word) => word === "yes");

const CRYPTO = z.string().transform(parseCrypto).default(DEFAULT_ROW_SETTINGS.crypto);

const STORAGE_SETTINGS = {
  DATABASE_URL: databaseUrl("postgres://user:password@host:port/database").optional(),
  DATABASE_OWNER_URL: databaseUrl("postgres://owner:password@host:port/database").optional(),
  DATABASE_CONNECTIONS: count(CONNECTIONS_MIN, CONNECTIONS_MAX).default(CONNECTIONS_DEFAULT),
  REDIS_URL: z
    .string()
    .superRefine((text, context) => {
      const read = parseRedisUrl(text);
      if (!read.ok) context.addIssue({ code: "custom", message: read.error });
    })
    .optional(),
  PAYRUN_DATA: z.string().min(1).default(".payrun"),
  LEDGER_EPOCH: count(1, 1_000_000).optional(),
  PAYRUN_KEY: z
    .string()
    .refine(isKey, `must be ${KEY_FORM}`)
    .transform((text) => new Secret(text))
    .optional(),
};

const SERVER_SETTINGS = {
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: count(0, 65_535).default(3000),
  TRUSTED_PROXIES: z
    .string()
    .refine(
      (text) => text.split(",").every(isNetwork),
      "must be IP addresses or networks, such as 10.0.0.0/8",
    )
    .optional(),
  ALLOWED_HOSTS: z.string().regex(HOST_NAMES, "must be host names separated by commas").default(""),
  PUBLIC_URL: url(/^https?:/, "the http(s) URL at which the gateway reaches payrun").optional(),
  PAYRUN_SERVER: url(
    /^https?:/,
    "the URL of a payrun server, such as https://payrun.example.com",
  ).optional(),
  PAYRUN_API_KEY_FILE: z.string().min(1).optional(),
};

const GATEWAY_SETTINGS = {
  GATEWAY_URL: url(/^https?:/, "the gateway's base URL, such as https://gateway.example.com")
    .refine(isPlainBaseUrl, "must not contain a user name, query, fragment or spaces")
    .optional(),
  GATEWAY_SANDBOX_URL: url(/^https?:/, "the URL of a gateway that does not move money").optional(),
  GATEWAY_ALLOW_HTTP: YES_OR_NO,
  /** Node's own variable: 0 accepts every certificate. */
  NODE_TLS_REJECT_UNAUTHORIZED: z.string().optional(),
  GATEWAY_TIMEOUT_MS: count(100, 600_000).default(30_000),
  GATEWAY_PAYOUT_LAYOUT: z.enum(["name=value", "json"]).default("name=value"),
  GATEWAY_ESCAPING: z.enum(["none", "percent"]).default("none"),
  GATEWAY_STATUS_ENCODING: z.enum(["base64", "percent"]).default("base64"),
  GATEWAY_KRW_PATH: z.enum(["dopayment", "krw-payment"]).default("dopayment"),
  GATEWAY_REMEMBERS_HOURS: count(1, 100_000).default(24),
};

const MERCHANT_SETTINGS = {
  MERCHANTS_FILE: z.string().min(1).optional(),
  MERCHANT_CODE: z.string().regex(MERCHANT_CODE, `must be ${MERCHANT_CODE_FORM}`).optional(),
  MERCHANT_API_KEY: secret.optional(),
  MERCHANT_API_SECRET: secret.optional(),
  PAYOUT_CODE: z.string().min(1).optional(),
  PAYOUT_CODES: z.string().transform(readCodes).optional(),
  PAYMENT_CODE: z.string().min(1).optional(),
  MERCHANT_NAME: z.string().regex(MERCHANT_NAME, `must be ${MERCHANT_NAME_FORM}`).optional(),
};

/** Monitoring. The names that begin with OTEL_ are those of the OpenTelemetry specification. */
const TELEMETRY_SETTINGS = {
  METRICS_PORT: count(0, 65_535).optional(),
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?:/, "an OTLP receiver's http(s) URL").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: nameValueList.transform((text) => new Secret(text)).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(["http/protobuf", "http/json"]).default("http/protobuf"),
  OTEL_SERVICE_NAME: z.string().min(1).default("payrun"),
  OTEL_RESOURCE_ATTRIBUTES: nameValueList.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_METRIC_EXPORT_INTERVAL: count(1_000, 3_600_000).default(60_000),
};

/**
 * Every variable that payrun reads. configuration.md lists them for people. Limits are counted
 * in the units of their currencies, so currencies that are configured themselves come first.
 */
export const schemaFor = (crypto: CryptoCurrencies) =>
  z.object({
    ...STORAGE_SETTINGS,
    ...SERVER_SETTINGS,
    ...GATEWAY_SETTINGS,
    ...MERCHANT_SETTINGS,
    SMTP_URL: url(/^smtps?:/, "smtp(s)://user:password@host:port")
      .transform((text) => new Secret(text))
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(/.@./, "must be the sender's address, such as payrun@example.com")
      .default("payrun@localhost"),
    ALLOW_PLAINTEXT: YES_OR_NO,
    WEBHOOK_ALLOW_PRIVATE: YES_OR_NO,
    SUBMIT_CONCURRENCY: count(1, 2_000).default(32),
    RESOLVE_AFTER_MS: count(10, 3_600_000).default(5_000),
    RESEND_AFTER_MS: count(100, 86_400_000).default(900_000),
    AMOUNT_STYLE: z.enum(AMOUNT_STYLE_NAMES).default(DEFAULT_ROW_SETTINGS.amountStyle),
    AMOUNT_LIMITS: z
      .string()
      .transform((text, context) => parseAmountLimits(text, crypto, context))
      .default(defaultLimits(crypto)),
    CRYPTO_CURRENCIES: CRYPTO,
    CIRCUIT_BREAKERS: z
      .string()
      .transform((text, context) => parseCircuitBreakers(text, crypto, context))
      .default(new Map()),
    HOLIDAYS_FILE: z.string().min(1).optional(),
    CUT_OFFS: z
      .string()
      .transform((text, context) => parseCutOffs(text, crypto, context))
      .default(new Map()),
    WATCH_FOLDER: z.string().min(1).optional(),
    CALLBACK_HOSTS: z.string().transform(readCallbackHosts).default([]),
    BANK_CODES: z.enum(["warn", "error"]).default("warn"),
    ...TELEMETRY_SETTINGS,
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .default("info"),
  });

export type Config = Readonly<z.infer<ReturnType<typeof schemaFor>>>;

/**
 * Reads the environment and `.env` in the working directory, and is the only code that does. The
 * environment takes precedence. An empty variable counts as not set.
 *
 * @param overrides values of the command line, which take precedence over everything.
 * @param defaults defaults of this command that differ from those of the table.
 * @throws ConfigError that lists every invalid variable.
 */
export function readConfig(
  overrides: Readonly<Record<string, string>> = {},
  defaults: Readonly<Record<string, string>> = {},
): Config {
  const { file, environment } = givenSettings();
  const merged = { ...defaults, ...file, ...environment, ...overrides };
  const given = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
  const crypto = CRYPTO.safeParse(given["CRYPTO_CURRENCIES"]).data ?? DEFAULT_ROW_SETTINGS.crypto;
  const schema = schemaFor(crypto);
  const config = schema.safeParse(given, { error: (issue) => `must be ${describeIssue(issue)}` });
  const plain = renamedProblems(given).concat(config.success ? plaintextProblems(config.data) : []);
  const blank = Object.keys(schema.shape).filter((name) => given[name]?.trim() === "");
  if (config.success && blank.length + plain.length === 0) return Object.freeze(config.data);
  const issues = config.error?.issues.filter(({ path }) => !blank.includes(path.join("."))) ?? [];
  throw new ConfigError([
    ...plain,
    ...blank.map((name) => `${name} contains only spaces: set a value or leave it empty`),
    ...issues.map(({ path, message }) => {
      const name = path.join(".");
      if (isEntryNamed(message)) return `${name} ${message}`;
      return `${name} ${message} (${/KEY|SECRET|URL|SERVER|HEADERS|ENDPOINT/.test(name) ? SECRET_NOT_SHOWN : `found ${describeFound(given[name], true)}`})`;
    }),
  ]);
}

const SECRET_NOT_SHOWN = "the value is not shown because it may be secret";

/**
 * Returns the unchecked variables of `.env` and of the environment.
 * @throws ConfigError if `.env` exists but cannot be read.
 */
export const givenSettings = () => ({ file: envFile(), environment: process.env });

/** @throws ConfigError if `.env` exists but cannot be read: it would be ignored silently. */
function envFile(): NodeJS.Dict<string> {
  const path = resolve(".env");
  return existsSync(path) ? parseEnv(settingText(path, path)) : {};
}

const READ_FAILURES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "the file does not exist"],
  ["EISDIR", "it is a folder"],
]);

/** Reads the text of a settings file. @throws ConfigError if it cannot be read. */
export function settingText(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${name}: cannot be read: ${READ_FAILURES.get(code) ?? code}`]);
  }
}

/** Returns the settings for reading rows. Merchants restrict the currencies that can be paid. */
export function rowSettings(config: Config, merchants: readonly Merchant[] | null): RowSettings {
  return {
    amountStyle: config.AMOUNT_STYLE,
    amountsConfirmed: false,
    amountsFixed: false,
    amountLimits: config.AMOUNT_LIMITS,
    crypto: config.CRYPTO_CURRENCIES,
    bankCodes: config.BANK_CODES,
    carries: layoutCarries(config),
    carriesOf: merchantLayoutsCarry(config, merchants),
    currencies: merchants ? new Set(merchants.flatMap(({ currencies }) => currencies)) : null,
    ...overrideSettings(config, merchants),
  };
}

/** Returns the function that gives the circuit breaker settings of a lane. */
export const circuitBreakersOf =
  ({ CIRCUIT_BREAKERS, AMOUNT_LIMITS, CRYPTO_CURRENCIES }: Config) =>
  (lane: string): LaneThresholds =>
    laneThresholds(lane, CIRCUIT_BREAKERS, {
      largest: AMOUNT_LIMITS,
      units: unitsOf(CRYPTO_CURRENCIES),
    });

/** Returns the absolute path of the data folder. */
export const dataFolder = (config: Config): string => resolve(config.PAYRUN_DATA);

/** Returns the folder in which programs keep the settings of this user of the machine. */
export const userSettingsFolder = (): string =>
  process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
