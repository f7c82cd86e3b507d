import { z } from "zod";
import { lineText } from "#api/app/shapes.ts";
import { ProblemView } from "#api/intake/reading.ts";
import { SUM } from "#intake/batch/control-totals.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { ROWS_MAX } from "#intake/rows/row-list.ts";
import { CIRCUIT_BREAKER_SETTINGS } from "#payout/lane/circuit-breaker-settings.ts";
import { PRIORITIES } from "#payout/priority.ts";

/** Descriptions for the OpenAPI document; in src/http/openapi, payouts have the same names. */
const DESCRIPTIONS: Readonly<Record<Column, string>> = {
  user_id: "Your ID for the beneficiary. Required.",
  account_name: "Name of the beneficiary, as in the bank's records. Required.",
  bank_account_number:
    "Account number. `GET /api/templates/{currency}/guide` lists what a currency requires.",
  phone_number: "Phone number of the beneficiary.",
  ifsc_code: "IFSC of the branch, for INR.",
  bank_code: "Code of the bank, from the currency's list.",
  bank_name: "Name of the bank; for BRL, the PIX key.",
  branch_code: "Code of the branch.",
  address: "Wallet address, for cryptocurrencies.",
  currency_code: "Currency, such as INR. Required.",
  transaction_amount: 'Amount as an exact decimal, such as "1200.50". Required.',
  transaction_code:
    "Your own unique code for the payout, 1–64 characters. If omitted, payrun creates one.",
  payout_code: "Payout method. If omitted, the merchant's default applies.",
  callback_url: "URL for callbacks of the gateway, on an allowed host.",
  reference: "Your own reference, such as an invoice number. It is never sent to the gateway.",
};

/** Maximum number of characters of one value. */
const VALUE_LENGTH_MAX = 2_000;
const valueOf = (column: Column) =>
  z.string().max(VALUE_LENGTH_MAX).nullish().describe(DESCRIPTIONS[column]);

/** One payout, with the columns of a file as members. Values are texts, amounts included. */
export const PayoutRow = z.strictObject(
  Object.fromEntries(COLUMNS.map((column) => [column, valueOf(column)])) as Record<
    Column,
    ReturnType<typeof valueOf>
  >,
);

/** A name or a purpose of a batch. */
export const TextLine = lineText(1, 200);

/** The uploader's own total for a currency, such as "INR=1234.50". */
export const SumText = z.string().regex(SUM, "a currency and its total, such as INR=1234.50");
/** Two totals for one currency would contradict each other. */
export const SumTexts = z
  .array(SumText)
  .max(20)
  .refine(
    (sums) => new Set(sums.map((sum) => sum.split("=")[0])).size === sums.length,
    "a currency appears twice",
  );
/** Details that a person or a program may give about a batch before its approval. */
export const BATCH_DETAILS = {
  name: TextLine.nullish(),
  purpose: TextLine.nullish(),
  expect_rows: z.number().int().min(1).nullish(),
  expect_sum: SumTexts.nullish(),
  canary: z.number().int().min(0).max(CIRCUIT_BREAKER_SETTINGS.canary_payouts.max).optional(),
  priority: z.enum(PRIORITIES).optional(),
};

/** The rows of a batch in one document, instead of a file. */
export const Rows = z.strictObject({
  rows: z.array(PayoutRow).min(1).max(ROWS_MAX),
  /**
   * `refuse`: one invalid row refuses the request. `keep`: the batch is stored and waits for its
   * correction.
   */
  invalid_rows: z.enum(["refuse", "keep"]).default("refuse"),
  ...BATCH_DETAILS,
});

/** A problem of a row in a request. */
export const RowProblem = z.object({
  /** Position in `rows`, counted from 0. Null for a single payout. */
  row: z.number().int().nullable(),
  /** JSON pointer to the value in the body (RFC 6901). */
  pointer: z.string(),
  ...ProblemView.shape,
});
export type RowProblem = z.output<typeof RowProblem>;
