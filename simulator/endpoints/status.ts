import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_REQUEST } from "#gateway/wire/messages.ts";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { Deposits, KnownDeposit } from "#simulator/state/deposits.ts";
import type { FaultChooser, Strike } from "#simulator/faults/fault-rules.ts";
import type { StatusFault } from "#simulator/faults/faults.ts";
import { isKeyOf, keyOfJson, openRequest, type Parsing } from "#simulator/wire/envelope.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import { type KnownPayout, otherAmount, type Payouts } from "#simulator/state/payouts.ts";
import { type Answer, send, sendFaulty } from "#simulator/wire/replies.ts";
import { REFUSAL_TEXTS, SHOWN, STATUS_TEXT } from "#simulator/faults/texts.ts";

/** Answer to an unknown code. The documents do not say (docs/reference/gateway.md section 7). */
export type UnknownCodeShape = "success_false" | "empty_array" | "no_data";

const UNKNOWN_CODE_ANSWERS: Readonly<Record<UnknownCodeShape, unknown>> = {
  success_false: { success: false, data: [], message: "Transaction not found" },
  empty_array: { success: true, data: [], message: STATUS_TEXT },
  no_data: { success: false, message: "Transaction not found" },
};

export interface StatusEndpointOptions {
  readonly payouts: Payouts;
  readonly deposits: Deposits;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly unknown: UnknownCodeShape;
  readonly reading: Parsing;
  readonly nowMs: () => number;
}

type Known = KnownPayout | KnownDeposit;

interface ReportedRecord {
  kind: Known["kind"];
  code: string;
  atMs: number;
  gatewayNumber: string;
  amount: string;
  /** As JSON. */
  fee: string;
  currency: string;
  /** The status as a number. Null: the record has none, as in the specification. */
  number: number | null;
  word: string;
  note: string;
}

/**
 * POST /api/v1/{merchant}/transactions/status: a form as documented, or JSON as one client sends.
 */
export function statusEndpoint(options: StatusEndpointOptions) {
  const unknown: Answer = {
    status: 200,
    body: JSON.stringify(UNKNOWN_CODE_ANSWERS[options.unknown]),
  };

  /** The records of a code that was accepted more than once, without the newest. */
  const earlier = ({ kind, merchant, code }: Known): ReportedRecord[] =>
    kind === "payout"
      ? options.payouts
          .findAll(merchant, code)
          .slice(1)
          .map((payout) => reportedRecord(payout, options.reading.dialect === "clients"))
      : [];

  return (
    request: IncomingMessage,
    response: ServerResponse,
    merchant: string,
    body: string,
  ): void => {
    const code = readCode(request, body, options.merchantOf(merchant), options.reading);
    if (!code.ok) return send(response, refused(code.error));

    const known: Known | null =
      options.payouts.find(merchant, code.value) ?? options.deposits.find(merchant, code.value);
    const strike = known ? strikeOn(known, options.faults) : null;
    if (!known || (known.kind === "payout" && known.isBurned)) return send(response, unknown);
    const how = strike?.fault.at === "status" ? strike.fault.how : null;
    const truth = reportedRecord(known, options.reading.dialect === "clients");
    if (how !== null && typeof how === "object") {
      return sendFaulty(request, response, how, found([truth]), strike?.delayMs ?? null);
    }
    const records =
      how === null
        ? [truth, ...earlier(known)]
        : applyFault(known, truth, how, strike, options.nowMs());
    send(response, records === null ? unknown : found(records));
  };
}

function strikeOn(known: Known, faults: FaultChooser): Strike | null {
  known.statusQueries += 1;
  return faults.strike(["status"], {
    code: known.code,
    amount: known.amount,
    currency: known.currency,
    name: known.name,
    ...(known.kind === "payout" && { bankCode: known.bankCode }),
    attempt: known.statusQueries,
  });
}

/** Paid deposits only: the amount actually paid. */
function reportedRecord(known: Known, numbered: boolean): ReportedRecord {
  const { kind, code, number: gatewayNumber, currency } = known;
  const amount = (known.kind === "deposit" ? known.paidAmount : null) ?? known.amount;
  const note = known.state === "returned" ? "reversed" : "null";
  const { word, number } = SHOWN[known.state];
  const atMs = known.acceptedAtMs;
  return {
    kind,
    code,
    atMs,
    gatewayNumber,
    amount,
    fee: known.kind === "payout" && known.state !== "failed" ? known.fee : "0",
    currency,
    word,
    number: numbered ? number : null,
    note,
  };
}

/** Applies a status fault to the record. Null: not found. */
function applyFault(
  known: Known,
  truth: ReportedRecord,
  how: StatusFault,
  strike: Strike | null,
  nowMs: number,
): ReportedRecord[] | null {
  const isFinal = known.state !== "pending" && known.state !== "awaiting_bank";
  if (isFinal) known.finalQueries += 1;
  const query = known.finalQueries;
  const shown = (state: keyof typeof SHOWN) => {
    const { word, number } = SHOWN[state];
    return { ...truth, word, number: truth.number === null ? null : number };
  };
  const completed = shown("settled");
  const failed = shown("failed");
  const pending = shown("pending");

  switch (how) {
    case "lag":
      return nowMs - known.acceptedAtMs < (strike?.delayMs ?? 2000) ? null : [truth];
    case "unknown":
      return null;
    case "wrong_amount":
      return [{ ...truth, amount: otherAmount(truth.amount) }];
    case "wrong_currency":
      return [{ ...truth, currency: truth.currency === "INR" ? "THB" : "INR" }];
    case "contradiction":
      return [{ ...truth, number: 2, word: "pending" }];
    case "pending":
      return [pending];
    case "other_fee":
      return [isFinal && query > 1 ? { ...truth, fee: otherAmount(truth.fee) } : truth];
    case "odd_fee":
      return [{ ...truth, fee: '"1%"' }];
    case "manual":
      return [shown("manual")];
    case "zero":
      return [{ ...truth, number: 0 }];
    case "failed":
      return [failed];
    case "flip":
      return [isFinal ? (query % 2 === 1 ? completed : failed) : truth];
    case "reversed":
      return [isFinal ? (query > 1 ? { ...failed, note: "reversed" } : completed) : truth];
    case "backwards":
      return [isFinal ? (query > 1 ? pending : completed) : truth];
    case "twins":
      return [truth, truth];
    case "rivals":
      return [completed, { ...failed, gatewayNumber: `${truth.gatewayNumber}1` }];
    case "stranger":
      return [{ ...completed, code: `${truth.code}X` }];
  }
}

function found(records: readonly ReportedRecord[]): Answer {
  const listed = records.map((record) => {
    // Written by hand, because the amount is a JSON number with exactly the digits of the request.
    const fields = JSON.stringify({
      currency_code: record.currency,
      currency_name: record.currency,
      datetime: new Date(record.atMs).toISOString(),
      method_name: `Simulated ${record.kind}`,
      note: record.note,
      status: record.word,
      ...(record.number !== null && { transaction_status: record.number }),
      transaction_code: record.code,
      transaction_no: record.gatewayNumber,
      transaction_ref: "null",
      transaction_ref2: "null",
      type: record.kind,
    });
    return `{"amount":${record.amount},"transaction_fee":${record.fee},${fields.slice(1)}`;
  });
  return {
    status: 200,
    body: `{"data":[${listed.join(",")}],"message":"${STATUS_TEXT}","success":true}`,
  };
}

const refused = (code: string): Answer => ({
  status: 200,
  body: JSON.stringify({ success: false, data: [], message: REFUSAL_TEXTS[code] }),
});

/** The requested transaction code, or the error code of an unreadable query. */
function readCode(
  request: IncomingMessage,
  body: string,
  merchant: SimulatedMerchant | null,
  parsing: Parsing,
): Result<string, string> {
  const key = request.headers["content-type"]?.includes("json")
    ? keyOfJson(body)
    : new URLSearchParams(body).get("key");
  const opened = openRequest(key, merchant, ENDPOINTS.status, STATUS_REQUEST, parsing);
  if (!merchant || !opened.ok)
    return opened.ok ? err("115") : err(opened.error === "109" ? "118" : opened.error);
  const { merchant_api_key: apiKey, transaction_code: code } = opened.value;
  return isKeyOf(merchant, apiKey) ? ok(code) : err("115");
}
