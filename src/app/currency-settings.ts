/** Readers of the settings that list currencies. Each reports every wrong entry. */
import type { z } from "zod";
import { wrongEntry } from "#base/schema-issues.ts";
import { type CryptoCurrencies, defaultLimits, unitsOf } from "#intake/amount-limits.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { parseMoney } from "#money/parse.ts";
import {
  type CircuitBreakerSettings,
  parseCircuitBreakerSetting,
} from "#payout/lane/circuit-breaker-settings.ts";
import { type Chain, isChain } from "#payout/rules/addresses.ts";
import { type CutOffs, readCutOffs } from "#schedule/cut-offs.ts";

const EXPECTED_AMOUNTS =
  "expected a known currency and a positive amount in units of that currency, such as INR=500000,JPY=10000000";
const EXPECTED_CIRCUIT_BREAKERS =
  "expected settings listed in circuit-breakers.md, such as in_doubt_count=200,INR.in_doubt_amount=500000";
const EXPECTED_CUT_OFFS =
  "expected known currencies or MERCHANT/CUR, each once, with a time and a time zone, such as INR=16:00 Asia/Kolkata,M1/JPY=14:30 Asia/Tokyo";

/** Parses "INR=500000,JPY=10000000": maximum payout amounts. Other currencies keep the default. */
export function parseAmountLimits(
  text: string,
  crypto: CryptoCurrencies,
  context: z.RefinementCtx,
): RowSettings["amountLimits"] {
  const limits = defaultLimits(crypto);
  const units = unitsOf(crypto);
  for (const entry of text.split(",")) {
    const [code = "", amount = "", ...more] = entry.split("=").map((part) => part.trim());
    const unit = units.get(code);
    const limit = unit && more.length === 0 ? parseMoney(amount, unit) : null;
    if (limit?.ok) limits.set(code, limit.value.minor);
    else context.addIssue(wrongEntry(entry, EXPECTED_AMOUNTS));
  }
  return limits;
}

/** Parses thresholds such as "in_doubt_count=200,M1/INR.in_doubt_amount=500000". */
export function parseCircuitBreakers(
  text: string,
  crypto: CryptoCurrencies,
  context: z.RefinementCtx,
): CircuitBreakerSettings {
  const settings = new Map<string, bigint>();
  const units = unitsOf(crypto);
  for (const entry of text.split(",")) {
    const read = parseCircuitBreakerSetting(entry.trim(), units);
    if (read) settings.set(...read);
    else context.addIssue(wrongEntry(entry, EXPECTED_CIRCUIT_BREAKERS));
  }
  return settings;
}

/** Parses "INR=16:00 Asia/Kolkata,M1/JPY=14:30 Asia/Tokyo": banks' cut-off times of a day. */
export function parseCutOffs(
  text: string,
  crypto: CryptoCurrencies,
  context: z.RefinementCtx,
): CutOffs {
  const read = readCutOffs(text, unitsOf(crypto));
  if (read.ok) return read.value;
  context.addIssue(wrongEntry(read.error, EXPECTED_CUT_OFFS));
  return new Map();
}

/** Parses "USDT=tron:6,ETH=evm:18": code, chain and decimals. */
export function parseCrypto(text: string, context: z.RefinementCtx): CryptoCurrencies {
  const crypto = new Map<string, { chain: Chain; minorDigits: number }>();
  for (const entry of text.split(",")) {
    const match = /^\s*([A-Z0-9-]{1,40})\s*=\s*(\w+):(\d{1,2})\s*$/.exec(entry);
    const [, code = "", chain = "", digits = ""] = match ?? [];
    if (isChain(chain)) crypto.set(code, { chain, minorDigits: Number(digits) });
    else
      context.addIssue(
        wrongEntry(entry, "expected CODE=chain:decimals, such as USDT=tron:6,ETH=evm:18"),
      );
  }
  return crypto;
}
