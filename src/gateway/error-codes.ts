import type { LaneStop } from "#payout/circuit-breakers.ts";

/** The meaning of one gateway code for the money (gateway.md sections 6.2 and 6.3). */
export interface CodeMeaning {
  readonly kind: "duplicate" | "declined" | "deferred" | "in_doubt";
  /** Set if the cause affects the whole lane. `wait`: it resolves itself. `person`: it does not. */
  readonly stop?: LaneStop["until"];
  readonly breaker?: LaneStop["breaker"];
  readonly says: string;
}

/**
 * Every documented code. 100 to 108 and 125 to 130 are not documented, and unlisted codes settle
 * nothing. 117, 123 and 131 read like refusals, but the payout may have been made (F114).
 */
// biome-ignore format: the table is easier to read in columns
export const ERROR_CODES: Readonly<Record<string, CodeMeaning>> = {
  "109": { kind: "declined",                  says: "a required parameter is missing" },
  "110": { kind: "deferred", stop: "person",  says: "the payout method is not available" },
  "111": { kind: "duplicate",                 says: "the transaction code has already been used" },
  "112": { kind: "deferred",                  says: "the timestamp is outside the window" },
  "113": { kind: "deferred",                  says: "the currency rate is not supported at the moment" },
  "114": { kind: "deferred", stop: "person",  says: "the payout method does not support the merchant's currency" },
  "115": { kind: "deferred", stop: "person",  says: "wrong key or merchant code" },
  "116": { kind: "deferred", stop: "wait",    says: "the payout method is under maintenance" },
  "117": { kind: "in_doubt",                  says: "server error in the payout method" },
  "118": { kind: "deferred", stop: "person",  says: "the gateway cannot read the key parameter" },
  "119": { kind: "deferred", stop: "wait",    says: "insufficient balance", breaker: "balance" },
  "120": { kind: "declined",                  says: "invalid IFSC" },
  "121": { kind: "declined",                  says: "bank not found" },
  "122": { kind: "declined",                  says: "the amount cannot have decimals" },
  "123": { kind: "in_doubt",                  says: "the request failed and its outcome is unknown" },
  "124": { kind: "deferred", stop: "person",  says: "payrun's IP address is blocked" },
  "131": { kind: "in_doubt",                  says: "the payout account could not be reached and the outcome is unknown" },
};
