import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { codesIn, type HttpAnswer } from "./answers.ts";
import { parseObject } from "./json.ts";
import { STATUS_RECORD, type StatusRecordMessage } from "./messages.ts";
import { stateOf } from "./states.ts";

/** Amounts are compared as exact text; a form like 1e3 is not one that two sides agree on. */
const PLAIN_DECIMAL = /^\d+(?:\.\d+)?$/;

/**
 * What a status answer says about one transaction code (specification, Transaction status record;
 * docs/gateway.md section 7). Only a complete 2xx answer speaks. Records of other codes are ignored; several
 * records of this one that differ are `unclear`.
 */
export function readStatusAnswer(
  { status, body }: Pick<HttpAnswer, "status" | "body">,
  transactionCode: string,
): StatusAnswer {
  const silent = (code: string, text: string): StatusAnswer => ({ kind: "no_answer", code, text });
  if (status < 200 || status >= 300) return silent(`http_${status}`, messageOf(body));

  const answer = body === null ? null : parseObject(body);
  if (answer === null) return silent("unreadable", `HTTP ${status} without a readable answer`);
  const { data, message, error } = answer;
  const text = typeof message === "string" ? message : "";
  // Whatever the code: a refused question was not answered.
  const refused = codesIn(text)[0] ?? codeOf(error);
  if (refused !== null) return silent(refused, text);
  if (!Array.isArray(data)) return silent("unreadable", text || "no list of records");

  const entries = data.map((entry) => STATUS_RECORD.safeParse(entry));
  const ours = entries
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
    .filter((record) => record.transaction_code === transactionCode)
    .map(recordOf);
  const [first, ...others] = ours;
  if (first) {
    const agree = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
    return { kind: "found", record: agree ? first : { ...first, state: "unclear" } };
  }
  // A record that cannot be read might be the one we asked for.
  if (!entries.every(({ success }) => success)) {
    return silent("unreadable", "a record without a readable transaction code");
  }
  return { kind: "not_found", text };
}

function recordOf(record: StatusRecordMessage): StatusRecord {
  const { amount, transaction_amount: otherAmount, transaction_no: number } = record;
  const amountText = amount ?? otherAmount ?? "";
  const currency = record.currency_code ?? "";
  const gatewayNumber = number && number !== "null" ? number : null;
  const isClear =
    PLAIN_DECIMAL.test(amountText) &&
    (amount == null || otherAmount == null || amount === otherAmount) &&
    currency !== "" &&
    // Deposit numbers begin with DP (specification, Transaction): not the payout that was asked for.
    !gatewayNumber?.startsWith("DP");
  const state = stateOf(record.transaction_status, record.status);
  return {
    transactionCode: record.transaction_code,
    state: isClear ? state : "unclear",
    amount: amountText,
    currency,
    gatewayNumber,
    fee: record.transaction_fee ?? null,
  };
}

function messageOf(body: string | null): string {
  const message = body === null ? null : parseObject(body)?.["message"];
  return typeof message === "string" ? message : "";
}

function codeOf(error: unknown): string | null {
  if (error === undefined || error === null) return null;
  const code = Object(error).code;
  return typeof code === "string" ? code : "error";
}
