import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig, rowSettings } from "#app/config.ts";
import { gatewayConfig } from "#app/gateway-config.ts";

const folder = mkdtempSync(join(tmpdir(), "payrun-carried-"));
const FILE = join(folder, "merchants.json");
afterAll(() => rmSync(folder, { recursive: true }));

test("applies a merchant's layout to rows of its currencies and to no others", () => {
  const carriesOf = (own: string, given: Record<string, string> = {}) => {
    const entry = { api_key: "k", api_secret: "s", payout_code: "W1" };
    writeFileSync(
      FILE,
      JSON.stringify([
        { ...entry, merchant_code: "B1", currencies: ["BRL"], payout_layout: own },
        { ...entry, merchant_code: "I1", currencies: ["INR"] },
      ]),
    );
    const config = readConfig({
      GATEWAY_URL: "https://gateway.example",
      MERCHANTS_FILE: FILE,
      ...given,
    });
    const { carries, carriesOf: ofMerchants } = rowSettings(
      config,
      gatewayConfig(config).merchants,
    );
    return { carries, own: [...ofMerchants] };
  };
  expect(carriesOf("json")).toEqual({ carries: "raw", own: [["BRL", "any"]] });
  expect(carriesOf("name=value", { GATEWAY_PAYOUT_LAYOUT: "json" })).toEqual({
    carries: "any",
    own: [["BRL", "raw"]],
  });
  expect(() => carriesOf("xml")).toThrow("payout_layout");
});
