import type { Answer, Caller } from "../dashboard/server.ts";

let rows = 0;
/** A valid single payout to a beneficiary of its own. */
export const payoutRow = (change: object = {}) => ({
  user_id: `U-${++rows}`,
  currency_code: "INR",
  transaction_amount: "10.00",
  account_name: "Asha Rao",
  bank_account_number: `60100${String(rows).padStart(9, "0")}`,
  ifsc_code: "HDFC0000001",
  bank_code: "HDFC",
  bank_name: "HDFC Bank",
  ...change,
});

let keys = 0;
/** Adds a single payout with this idempotency key. Default: a valid one with a new key. */
export const paySingle = (
  key: Caller,
  body: object = payoutRow(),
  name = `k-${++keys}`,
): Promise<Answer> => key.post("/api/payouts", body, { headers: { "idempotency-key": name } });
