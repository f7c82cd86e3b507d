import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "#app/config.ts";
import { gatewayConfig } from "#app/gateway-config.ts";

const SINGLE = {
  MERCHANT_CODE: "SKU1",
  MERCHANT_API_KEY: "api-key-text",
  MERCHANT_API_SECRET: "api-secret-text",
  PAYOUT_CODE: "W1",
};
let before: string;

beforeEach(() => {
  before = process.cwd();
  process.chdir(mkdtempSync(join(tmpdir(), "payrun-config-")));
});
afterEach(() => process.chdir(before));

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe("the wait before a code is resent", () => {
  const REAL = { ...SINGLE, GATEWAY_URL: "https://gateway.example" };
  const problems = (given: Record<string, string>) =>
    problemsOf(() => gatewayConfig(readConfig({ ...REAL, ...given }))).join();

  test("is 15 minutes by default", () => {
    expect(readConfig().RESEND_AFTER_MS).toBe(900_000);
    expect(problems({})).toBe("");
  });

  test("is at least a minute where real money moves", () => {
    expect(problems({ RESEND_AFTER_MS: "59999" })).toContain("RESEND_AFTER_MS must be at least");
    expect(problems({ RESEND_AFTER_MS: "60000" })).toBe("");
    const sandbox = { GATEWAY_SANDBOX_URL: REAL.GATEWAY_URL, RESEND_AFTER_MS: "200" };
    expect(problems(sandbox)).toBe("");
    expect(problems({ GATEWAY_URL: "http://127.0.0.1:4010", RESEND_AFTER_MS: "200" })).toBe("");
  });

  test("leaves time to resend before the gateway forgets the code", () => {
    const twoHours = { GATEWAY_REMEMBERS_HOURS: "2" };
    expect(problems({ ...twoHours, RESEND_AFTER_MS: "3000000" })).toContain("must be less than");
    expect(problems({ ...twoHours, RESEND_AFTER_MS: "2999999" })).toBe("");
    // No code is resent automatically, so there is no wait.
    expect(problems({ GATEWAY_REMEMBERS_HOURS: "1" })).toBe("");
  });
});
