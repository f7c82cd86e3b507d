/** Messages for unusable settings. */
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "#app/config.ts";

function problemsOf(given: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(given);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("states the expected and found value of a wrong setting, without a library's words", () => {
  const problems = problemsOf({
    GATEWAY_PAYOUT_LAYOUT: "xml",
    GATEWAY_ALLOW_HTTP: "1",
    MAIL_FROM: "x",
    LOG_LEVEL: "loud\u001b[2J",
    MERCHANT_CODE: "SKU 1",
    MERCHANT_NAME: " Asha",
    PAYRUN_SERVER: "asha:hunter2@pay.example",
    SMTP_URL: "smtp.example:hunter2",
  });
  expect(problems).toEqual([
    "PAYRUN_SERVER must be the URL of a payrun server, such as https://payrun.example.com (the value is not shown because it may be secret)",
    'GATEWAY_ALLOW_HTTP must be one of no, yes (found "1")',
    'GATEWAY_PAYOUT_LAYOUT must be one of name=value, json (found "xml")',
    'MERCHANT_CODE must be letters, digits, _, - and ., not starting with . (found "SKU 1")',
    'MERCHANT_NAME must be 1 to 100 characters, without control characters or spaces at its ends (found " Asha")',
    "SMTP_URL must be smtp(s)://user:password@host:port (the value is not shown because it may be secret)",
    `MAIL_FROM must be the sender's address, such as payrun@example.com (found "x")`,
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (found "loud\\u{1b}[2J")',
  ]);
});

test("treats blanks neither as a value nor as unset", () => {
  expect(problemsOf({ DATABASE_URL: " ", PORT: "\t", HOST: "::1" })).toEqual([
    "DATABASE_URL contains only spaces: set a value or leave it empty",
    "PORT contains only spaces: set a value or leave it empty",
  ]);
});

test("rejects the old name of CIRCUIT_BREAKERS, whose limits would be ignored", () => {
  expect(problemsOf({ BRAKES: "doubt_count=5" })).toEqual([
    "BRAKES was renamed: set CIRCUIT_BREAKERS instead, with the setting names in docs/operate/circuit-breakers.md",
  ]);
  expect(readConfig({ BRAKES: "" }).CIRCUIT_BREAKERS.size).toBe(0);
});

test("accepts cut-offs for configured currencies and lanes, each once", () => {
  const readAs = (text: string) => readConfig({ CUT_OFFS: text, CRYPTO_CURRENCIES: "ETH=evm:18" });
  expect([...readAs("ETH=12:00 UTC,M1/INR=16:00 Asia/Kolkata").CUT_OFFS.keys()]).toEqual([
    "ETH",
    "M1/INR",
  ]);
  const [problem] = problemsOf({
    CUT_OFFS: "INR=16:00 UTC,inr=01:00 UTC",
    CRYPTO_CURRENCIES: "ETH=evm:18",
  });
  expect(problem).toMatch(
    /^ *CUT_OFFS contains an invalid entry, "inr=01:00 UTC": expected known currencies/,
  );
});
