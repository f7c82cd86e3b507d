/** The gateway's exact payout messages, with their odd punctuation (gateway.md section 6). */
const ACCEPTED_TEXT = "request withdraw successful";

// biome-ignore format: the table is easier to read in columns
export const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  "109": "[WD] Incomplete parameter!, error code 109",
  "110": "[WD] Payout Method Not Available, error code 110,",
  "111": "[WD] Invalid Transaction Code ( not unique )!, error code 111",
  "112": "[WD] Invalid Timestamp!, error code 112",
  "113": "[WD] Currency rate is not supported for your merchant currency at this moment!, error code 113",
  "114": "[WD] Currency of payment method is not supported for your merchant!, error code 114",
  "115": "[WD] Invalid Key / Merchant code!, error code 115",
  "116": "[WD] Payout method is under maintenance!, error code 116",
  "117": "[WD] Server error for this payout method!, error code 117",
  "118": "[WD] Format Key parameter invalid!, error code 118",
  "119": "[WD] Insufficient Balance!, error code 119",
  "120": "[WD] Invalid IFSC Code! Please try again, error code 120",
  "121": "[WD] Withdraw Bank not found!, error code 121",
  "122": "[WD] Amount cannot has decimal number, please try again! error code 122",
  "123": "[WD] Request Withdrawal Failed! Please Try Again, error code 123",
  "124": "[WD] Your IP address has been blocked, error code 124",
  "131": "[WD] There are problem to connect payout account, please try again!, error code 131",
};

/**
 * Messages of deposits: the documents show them without their number (gateway.md section 6.3).
 */
// biome-ignore format: the table is easier to read in columns
export const DEPOSIT_REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  "109": "[DP] Incomplete parameter",
  "110": "[DP] Invalid Bank ID",
  "111": "[DP] Invalid Transaction Code ( not unique )",
  "112": "[DP] Invalid Timestamp",
  "113": "[DP] Invalid Transaction. The transaction is already processed",
  "114": "[DP] Active bank account is not found",
  "115": "[DP] Invalid Key / Merchant code",
  "116": "[DP] Bank is under maintenance",
  "117": "[DP] Server Error for this payout method !",
  "118": "[DP] Format Key Paramater Invalid",
  "119": "[DP] Insufficient Balance",
};

export const TAKEN_TEXT = "Submit Transaction Success!";
export const STEP_1_TEXT =
  "Submit Transaction Success! Please submit Depositor Name, Bank Code and Account Number.";
export const STEP_2_TEXT = "Submit Depositor Information Success.";

/**
 * Body of a refused deposit, which is undocumented: the message alone, or with `error.code` as
 * newer gateways send it.
 */
export function depositRefusalBody(code: string, style: RefusalStyle): string {
  const message = DEPOSIT_REFUSAL_TEXTS[code] ?? `error code ${code}`;
  return JSON.stringify(
    style === "200" ? { status: "error", message } : { message, error: { code, message } },
  );
}

/** How refusals are sent: as documented, or as newer gateways do (gateway.md 6.4). */
export type RefusalStyle = "200" | "400";

/** Body of a refused payout. `success` is true in both styles of the 200 answer, as documented. */
export function refusalBody(code: string, style: RefusalStyle): string {
  const message = REFUSAL_TEXTS[code] ?? `error code ${code}`;
  return style === "200"
    ? JSON.stringify({ success: true, message })
    : JSON.stringify({ message, error: { code, message } });
}

export const ACCEPTED_BODY = JSON.stringify({ success: true, message: ACCEPTED_TEXT });
export const STATUS_TEXT = "Request transaction list successful";

/**
 * How a state is reported: a number in `transaction_status`, a text in `status` (gateway.md
 * section 7).
 */
export const SHOWN = {
  pending: { number: 1, word: "pending" },
  settled: { number: 2, word: "completed" },
  failed: { number: 3, word: "failed" },
  returned: { number: 3, word: "failed" },
  manual: { number: 4, word: "manual process" },
  awaiting_bank: { number: 1, word: "pending" },
} as const;
