import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ConfigError, readConfig, rowSettings } from "#app/config.ts";
import { gatewayConfig } from "#app/gateway-config.ts";
import { CURRENCIES } from "#money/currency.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";

const KEY = "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25";
const NAMES = ["DATABASE_URL", "REDIS_URL", "PAYRUN_KEY", "GATEWAY_URL", "MERCHANTS_FILE", "PORT"];
const SINGLE = {
  GATEWAY_URL: "https://gateway.example",
  MERCHANT_CODE: "SKU1",
  MERCHANT_API_KEY: "api-key-text",
  MERCHANT_API_SECRET: "api-secret-text",
  PAYOUT_CODE: "W1",
};
let folder: string;
let before: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "payrun-config-"));
  before = process.cwd();
  process.chdir(folder);
  for (const name of [...NAMES, ...Object.keys(SINGLE)]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

/** The lines of a refusal, without the first. */
function problemsOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n").slice(1);
    throw error;
  }
  return [];
}

describe("configuration", () => {
  test("names an unreadable .env", () => {
    mkdirSync(".env");
    expect(problemsOf(() => readConfig())).toEqual([
      `  ${join(process.cwd(), ".env")}: cannot be read: it is a folder`,
    ]);
  });

  test("has a default for everything optional", () => {
    expect(readConfig()).toMatchObject({
      PAYRUN_DATA: ".payrun",
      HOST: "127.0.0.1",
      PORT: 3000,
      GATEWAY_TIMEOUT_MS: 30_000,
      GATEWAY_PAYOUT_LAYOUT: "name=value",
      RESOLVE_AFTER_MS: 5_000,
    });
  });

  test("lists every wrong variable at once, without secrets or addresses", () => {
    const problems = problemsOf(() =>
      readConfig({
        DATABASE_URL: "mysql://root:hunter2@db",
        REDIS_URL: "hunter3",
        PAYRUN_KEY: "hunter4",
        PORT: "99999",
        GATEWAY_TIMEOUT_MS: "soon",
        GATEWAY_PAYOUT_LAYOUT: "xml",
      }),
    );
    const names = problems.map((line) => line.trim().split(" ")[0]);
    expect(names).toEqual([
      "DATABASE_URL",
      "REDIS_URL",
      "PAYRUN_KEY",
      "PORT",
      "GATEWAY_TIMEOUT_MS",
      "GATEWAY_PAYOUT_LAYOUT",
    ]);
    expect(problems.join("\n")).not.toContain("hunter");
  });

  test("reads .env, lets the environment override it, and treats empty as not set", () => {
    writeFileSync(".env", "PORT=4000\nHOST=0.0.0.0\nREDIS_URL=redis://from-file:1\n");
    vi.stubEnv("PORT", "5000");
    vi.stubEnv("REDIS_URL", "");
    const { PORT, HOST, REDIS_URL } = readConfig();
    expect([PORT, HOST, REDIS_URL]).toEqual([5000, "0.0.0.0", undefined]);
  });

  test("never prints a secret", () => {
    const config = readConfig({ ...SINGLE, PAYRUN_KEY: KEY });
    const printed = [
      JSON.stringify(config),
      inspect(config, { depth: 9 }),
      String(config.PAYRUN_KEY),
    ];
    for (const text of printed) {
      expect(text).not.toMatch(/5f5f|api-key-text|api-secret-text/);
    }
  });

  test("is immutable", () => {
    const config = readConfig() as { PORT: number };
    expect(() => {
      config.PORT = 1;
    }).toThrow("read only");
  });
});

test.each([
  "https://user:hunter2@gateway.example",
  "https://gateway.example/?tenant=1",
  "https://gateway.example/api#v1",
  "https://gateway.example/?",
  "https://gateway.example ",
])("refuses a base address that cannot take paths or must not be shown: %s", (given) => {
  const problems = problemsOf(() => readConfig({ GATEWAY_URL: given }));
  expect(problems).toEqual([
    "  GATEWAY_URL must not contain a user name, query, fragment or spaces (the value is not shown because it may be secret)",
  ]);
  expect(readConfig({ GATEWAY_URL: "https://GATEWAY.example:8443/a@b/" })).toBeDefined();
});

describe("merchants", () => {
  test("gives a merchant from variables every currency", () => {
    const { merchants } = gatewayConfig(readConfig(SINGLE));
    expect(merchants).toHaveLength(1);
    expect(merchants[0]?.currencies).toEqual(expect.arrayContaining(["INR", "JPY", "USDT"]));
  });

  test.each([
    [{}, ["GATEWAY_URL", "no merchant"]],
    [{ ...SINGLE, PAYOUT_CODE: "" }, ["PAYOUT_CODE"]],
    [
      { GATEWAY_URL: SINGLE.GATEWAY_URL, MERCHANTS_FILE: "." },
      ["MERCHANTS_FILE .: cannot be read: it is a folder"],
    ],
    [
      { ...SINGLE, MERCHANTS_FILE: "none.json" },
      ["MERCHANTS_FILE and", "MERCHANTS_FILE none.json: cannot be read: the file does not exist"],
    ],
    [{ ...SINGLE, PUBLIC_URL: "https://pay.example/?a=b" }, ["PUBLIC_URL"]],
    [{ ...SINGLE, GATEWAY_URL: "http://gateway.example" }, ["GATEWAY_URL is unencrypted http"]],
    [
      { ...SINGLE, GATEWAY_URL: "http://127.0.0.1.evil.example" },
      ["GATEWAY_URL is unencrypted http"],
    ],
    [{ ...SINGLE, GATEWAY_URL: "http://9.9.9.9" }, ["GATEWAY_URL is unencrypted http"]],
    [
      { ...SINGLE, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      ["NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks"],
    ],
  ])("refuses %j and lists everything that is missing", (given, starts) => {
    const problems = problemsOf(() => gatewayConfig(readConfig(given)));
    expect(problems.map((line, index) => line.trim().startsWith(starts[index] ?? "?"))).toEqual(
      starts.map(() => true),
    );
  });

  test.each([
    { GATEWAY_URL: "http://127.0.0.1:4010" },
    { GATEWAY_URL: "http://[::1]:4010" },
    { GATEWAY_URL: "http://0.0.0.0:4010" },
    { GATEWAY_URL: "http://172.17.0.2:4010" },
    { GATEWAY_URL: "http://gateway:4010" },
    { GATEWAY_URL: "http://sandbox:4010", GATEWAY_SANDBOX_URL: "http://sandbox:4010" },
    { GATEWAY_URL: "http://gateway.lan", GATEWAY_ALLOW_HTTP: "yes" },
    { GATEWAY_URL: "https://127.0.0.1:4010", NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    { GATEWAY_URL: "https://gateway.example", NODE_TLS_REJECT_UNAUTHORIZED: "1" },
  ])("F113 allows a missing TLS only on a local network or by explicit setting: %j", (given) => {
    expect(gatewayConfig(readConfig({ ...SINGLE, ...given })).url).toBe(given.GATEWAY_URL);
  });

  test("reports a file that is not JSON or not a list of merchants, without quoting it", () => {
    for (const text of ["{", '[{"merchant_code":"SKU1","api_secret":"hunter2"}]']) {
      writeFileSync("m.json", text);
      const problems = problemsOf(() =>
        gatewayConfig(readConfig({ GATEWAY_URL: SINGLE.GATEWAY_URL, MERCHANTS_FILE: "m.json" })),
      );
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain("MERCHANTS_FILE m.json");
      expect(problems[0]).not.toContain("hunter2");
    }
  });
});

test("F90 F124 refuses values that name=value cannot carry in rows, unless layout or escaping can", () => {
  const carries = (given: Record<string, string>) => rowSettings(readConfig(given), null).carries;
  expect(carries({})).toBe("raw");
  expect(carries({ GATEWAY_PAYOUT_LAYOUT: "json" })).toBe("any");
  expect(carries({ GATEWAY_ESCAPING: "percent" })).toBe("any");
});

test("refuses a callback URL that name=value cannot carry, only with that layout", () => {
  const given = { ...SINGLE, PUBLIC_URL: "https://pay.example/?a=b" };
  const json = { ...given, GATEWAY_PAYOUT_LAYOUT: "json" };
  expect(problemsOf(() => gatewayConfig(readConfig(given))).join()).toContain("& = % +");
  expect(problemsOf(() => gatewayConfig(readConfig(json)))).toEqual([]);
});

test("requires a code, a checkable chain and decimals for a crypto currency", () => {
  const read = (text: string) => rowSettings(readConfig({ CRYPTO_CURRENCIES: text }), null).crypto;
  expect([...read("USDT=tron:6, ETH=evm:18")]).toEqual([
    ["USDT", { chain: "tron", minorDigits: 6 }],
    ["ETH", { chain: "evm", minorDigits: 18 }],
  ]);
  for (const text of ["DOGE=doge:8", "X=toString:8", "USDT=tron", "usdt=tron:6"]) {
    expect(problemsOf(() => read(text)).join()).toContain(
      "CRYPTO_CURRENCIES contains an invalid entry, ",
    );
  }
});

test("accepts every amount style", () => {
  for (const style of AMOUNT_STYLE_NAMES) {
    expect(rowSettings(readConfig({ AMOUNT_STYLE: style }), null).amountStyle).toBe(style);
  }
  expect(problemsOf(() => readConfig({ AMOUNT_STYLE: "1234,56" }))).toHaveLength(1);
});

describe("maximum amount of one payout", () => {
  const limitsOf = (given: Record<string, string>) =>
    rowSettings(readConfig(given), null).amountLimits;

  test("has a default for every currency, which AMOUNT_LIMITS overrides individually", () => {
    const limits = limitsOf({ AMOUNT_LIMITS: " INR=500000.50 , JPY=7,USDT=0.000001" });
    expect([limits.get("INR"), limits.get("JPY"), limits.get("USDT")]).toEqual([
      50_000_050n,
      7n,
      1n,
    ]);
    expect(limits.get("THB")).toBe(limitsOf({}).get("THB"));
    for (const currency of [...Object.keys(CURRENCIES), "USDT"]) {
      expect(limitsOf({}).get(currency)).toBeGreaterThan(0n);
    }
  });

  test("is parsed with the configured decimals of a crypto currency", () => {
    const limits = limitsOf({
      CRYPTO_CURRENCIES: "USDT=evm:18,ETH=evm:18",
      AMOUNT_LIMITS: "ETH=2",
    });
    expect(limits.get("USDT")).toBe(200_000n * 10n ** 18n);
    expect(limits.get("ETH")).toBe(2n * 10n ** 18n);
  });

  test.each([
    "INR",
    "INR=",
    "XXX=5",
    "toString=5",
    "inr=5",
    "INR=0",
    "JPY=1.5",
    "IDR=1.50",
    "INR=1=2",
    "INR=1e5",
    "",
  ])("refuses %j, and every other wrong entry", (entry) => {
    const problems = problemsOf(() => readConfig({ AMOUNT_LIMITS: `THB=1,${entry},ZZZ=1` }));
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain(
      `AMOUNT_LIMITS contains an invalid entry, ${entry ? `"${entry}"` : "an empty value"}:`,
    );
    expect(problems[1]).toContain('"ZZZ=1"');
    expect(problems.join()).not.toContain("THB=1");
  });
});

test("accepts a lane cut-off only for a lane that is configured", () => {
  const cutOffs = (of: string) => gatewayConfig(readConfig({ ...SINGLE, CUT_OFFS: of }));
  const { merchantCode } = cutOffs("INR=16:00 UTC").merchants[0] ?? {};
  cutOffs(`${merchantCode}/JPY=14:30 Asia/Tokyo,JPY=14:00 Asia/Tokyo`);
  const problems = problemsOf(() => cutOffs("M9/INR=16:00 UTC,INR=16:00 UTC"));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(
    /^ *CUT_OFFS contains an invalid entry, "M9\/INR": expected a currency or one of/,
  );
  expect(problems[0]).toContain(`${merchantCode}/INR, `);
});

test("accepts a lane breaker only for a configured lane, because another would never trip", () => {
  const brakes = (of: string) => gatewayConfig(readConfig({ ...SINGLE, CIRCUIT_BREAKERS: of }));
  const { merchantCode } = brakes("in_doubt_count=5").merchants[0] ?? {};
  brakes(`${merchantCode}/INR.in_doubt_count=5,INR.silence_sends=2,no_final_state_minutes=5`);
  const problems = problemsOf(() => brakes("M9/INR.in_doubt_count=5,M9/INR.silence_sends=2"));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(
    /^ *CIRCUIT_BREAKERS contains an invalid entry, "M9\/INR": expected a currency or one of/,
  );
});
