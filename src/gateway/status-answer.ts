import { NULL_TEXT } from "#payout/rules/layout-limits.ts";
import type { NoStatusAnswer, StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import {
  codesIn,
  statusClass,
  type HttpAnswer,
  isNoError,
  messageText,
  unreadableText,
} from "./payout-answers.ts";
import { isSameDecimal, plainDecimal } from "#gateway/wire/decimal.ts";
import { parseObject } from "#gateway/wire/json.ts";
import { STATUS_RECORD, type StatusRecordMessage } from "#gateway/wire/messages.ts";
import { isSuccessOrAbsent, isUnrefused, isFailureWord, isNotFoundText } from "./not-found.ts";
import { stateOf } from "./transaction-states.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

const NUMBER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const SHOWN_CHARS_MAX = 64;
const THROTTLED = 429;

/**
 * Reads what a status answer says about one transaction code (specification, Transaction status
 * record; gateway.md section 7). Records of other codes in it are ignored. Several differing
 * records of this code are `unclear`. The answer for an unknown code is not documented (F119).
 * Accepted as such are an empty list that nothing else in the answer refuses, and a readable
 * refusal that says so in words, also as HTTP 400, 404 or 422. Any other refusal does not answer
 * the query.
 */
export function readStatusAnswer(
  { status, body, retryAfterMs }: Pick<HttpAnswer, "status" | "body" | "retryAfterMs">,
  transactionCode: string,
  kind: "payout" | "deposit" = "payout",
): StatusAnswer {
  const silent = (code: string, text: string): NoStatusAnswer => ({
    kind: "no_answer",
    code,
    text,
    ...(status === THROTTLED && { afterMs: retryAfterMs ?? 0 }),
  });
  const isSuccess = statusClass(status) === 2;
  const answer = body === null ? null : parseObject(body);
  if (answer === null) {
    return silent(isSuccess ? "unreadable" : `http_${status}`, unreadableText({ status, body }));
  }
  const { data, message } = answer;
  const error = isNoError(answer["error"]) ? answer["errors"] : answer["error"];
  const success = answer["success"] ?? answer["status"] ?? answer["code"];
  const saysFailed = [answer["status"], answer["code"]].some(isFailureWord);
  const text = typeof message === "string" ? message : "";
  // A documented code blames the query or the gateway itself, whatever the message says.
  const code = codesIn(text)[0] ?? codeOf(error);
  if (code !== null && Object.hasOwn(ERROR_CODES, code)) return silent(code, text);
  const isNotKnown = isNotFoundText(text, transactionCode);
  const listed = listOf(data, transactionCode);
  if (!isSuccess || code !== null || listed === null) {
    const hasRecords = Object.keys(Object(data)).length > 0;
    const mayRefuse = isSuccess || REFUSALS.has(status);
    if (isNotKnown && mayRefuse && !hasRecords) return { kind: "not_found", text };
    return isSuccess && code === null
      ? silent("unreadable", `no list of records${text && `: ${text}`}`)
      : silent(code ?? `http_${status}`, messageText(status, text || "no message"));
  }

  const numbers = {
    ...numbersOf(answer, transactionCode),
    ...unnumberedOf(listed, transactionCode),
  };
  const entries = listed.map((entry) => STATUS_RECORD.safeParse(entry));
  const ours = entries
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
    .filter((record) => record.transaction_code === transactionCode);
  const [first, ...others] = ours.map((record) => recordOf(record, kind));
  if (first) {
    const agree = others.every((other) => isSameRecord(first, other));
    // Reported as paid, in an answer that also reports its own failure: one of the two is wrong.
    const isRefuted =
      first.state === "completed" && (saysFailed || !isSuccessOrAbsent(answer["success"]));
    if (isRefuted)
      return {
        kind: "found",
        record: { ...unclear(first, ours, "in a response that reports a failure"), ...numbers },
      };
    return { kind: "found", record: { ...(agree ? first : unclear(first, ours)), ...numbers } };
  }
  // A record that cannot be read might be the one we queried.
  if (!entries.every(({ success }) => success)) {
    return silent("unreadable", "an unreadable record");
  }
  // Our record may be on another page of the list.
  if (entries.length > 0) return silent("unreadable", "only records of other transaction codes");
  return isNotKnown || (!saysFailed && isUnrefused(success, text))
    ? { kind: "not_found", text }
    : silent("refused", text || "refused without an explanation");
}

/**
 * Returns the records of an answer. Our record may also appear without a list. Null: there is no
 * list.
 */
function listOf(data: unknown, transactionCode: string): readonly unknown[] | null {
  if (Array.isArray(data)) return data;
  const parsed = STATUS_RECORD.safeParse(data);
  return parsed.success && parsed.data.transaction_code === transactionCode ? [data] : null;
}

const DEPTH_MAX = 6;

/**
 * Returns the gateway numbers of everything in the answer that concerns this code, down to
 * DEPTH_MAX levels, if there are several. Unreadable records count as well: two numbers of one code
 * are the only trace of a payout that was accepted twice.
 */
function numbersOf(
  answer: unknown,
  transactionCode: string,
): Pick<StatusRecord, "numbers"> | undefined {
  const numbers = new Set<string>();
  const search = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return;
    const { code, number } = namesOf(value);
    if (code === transactionCode && number !== null) numbers.add(number);
    for (const part of Object.values(value)) search(part, depth + 1);
  };
  search(answer, 0);
  return numbers.size > 1 ? { numbers: [...numbers] } : undefined;
}

/**
 * Returns how many of several listed records of this code have no number. Only the list itself
 * counts: the fields around it may repeat the queried code.
 */
function unnumberedOf(
  listed: readonly unknown[],
  transactionCode: string,
): Pick<StatusRecord, "unnumbered"> | undefined {
  const ours = listed.map(namesOf).filter(({ code }) => code === transactionCode);
  const unnumbered = ours.filter(({ number }) => number === null).length;
  return ours.length > 1 && unnumbered > 0 ? { unnumbered } : undefined;
}

const namesOf = (value: unknown): { readonly code: unknown; readonly number: string | null } => {
  const { transaction_code: code, transaction_no: written } = Object(value);
  return { code, number: typeof written === "string" ? gatewayNumberOf(written) : null };
};

/**
 * Returns the gateway number in a form that may be stored and shown. Null: anything else in its
 * place.
 */
export const gatewayNumberOf = (number: string | null | undefined): string | null =>
  number && NUMBER.test(number) && number !== NULL_TEXT ? number : null;

/**
 * Gateway numbers of deposits start with DP (specification, Transaction), those of payouts with WD
 * (docs/reference/gateway.md section 10). Of the words in `type` only `deposit` is documented.
 */
const isNumberOfOtherKind = {
  payout: ({ transaction_no: number }: StatusRecordMessage) => number?.startsWith("DP") === true,
  deposit: ({ transaction_no: number, type }: StatusRecordMessage) =>
    number?.startsWith("WD") === true || !/^(?:deposit|null)?$/i.test(type ?? ""),
} as const;

function recordOf(record: StatusRecordMessage, kind: "payout" | "deposit"): StatusRecord {
  const [amount, otherAmount, fee] = [
    record.amount,
    record.transaction_amount,
    record.transaction_fee,
  ].map((written) => (written == null ? null : (plainDecimal(written) ?? written)));
  const amountText = amount ?? otherAmount ?? "";
  const currency = record.currency_code?.trim() ?? "";
  const gatewayNumber = gatewayNumberOf(record.transaction_no);
  const isClear =
    plainDecimal(amountText) !== null &&
    !amountText.startsWith("-") &&
    (amount == null || otherAmount == null || isSameDecimal(amount, otherAmount)) &&
    currency !== "" &&
    // The other kind of transaction is not the one that was queried.
    !isNumberOfOtherKind[kind](record);
  const state = isClear ? stateOf(record.transaction_status, record.status) : "unclear";
  const read: StatusRecord = {
    transactionCode: record.transaction_code,
    state,
    amount: amountText.slice(0, SHOWN_CHARS_MAX),
    currency: currency.slice(0, SHOWN_CHARS_MAX),
    gatewayNumber,
    fee: fee?.slice(0, SHOWN_CHARS_MAX) ?? null,
  };
  const remark = isNumberOfOtherKind[kind](record) ? "of a different kind of transaction" : "";
  return state === "unclear" ? unclear(read, [record], remark) : read;
}

/**
 * Adds the gateway's own text for the state, not redacted yet, so a person sees what could not be
 * read.
 */
function unclear(
  read: StatusRecord,
  records: readonly StatusRecordMessage[],
  remark = "",
): StatusRecord {
  const words = records.map(({ transaction_status: number, status: word }) =>
    [number, word].filter((text) => text && text.trim() !== "").join(", "),
  );
  const says = [...new Set(words), remark].filter((text) => text !== "").join("; ");
  return { ...read, state: "unclear", ...(says && { says }) };
}

/**
 * Compares by value: a gateway may write an amount with two decimals in one record and with one in
 * the other.
 */
const isSameRecord = (one: StatusRecord, other: StatusRecord): boolean =>
  isSameDecimal(one.amount, other.amount) &&
  isSameDecimal(one.fee ?? "", other.fee ?? "") &&
  JSON.stringify({ ...one, amount: "", fee: "" }) ===
    JSON.stringify({ ...other, amount: "", fee: "" });

/** The HTTP statuses with which newer gateways refuse (docs/reference/gateway.md section 6.4). */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422]);

function codeOf(error: unknown): string | null {
  if (isNoError(error)) return null;
  const code = Object(error).code;
  return typeof code === "string" ? code : "error";
}
