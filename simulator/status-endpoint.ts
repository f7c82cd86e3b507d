import type { IncomingMessage, ServerResponse } from "node:http";
import { decode } from "#gateway/layout.ts";
import { STATUS_REQUEST } from "#gateway/messages.ts";
import { type Escaping, OPERATIONS } from "#gateway/operations.ts";
import { err, ok, type Result } from "#result.ts";
import type { Deposits, KnownDeposit } from "./deposits.ts";
import type { FaultChooser, Strike } from "./fault-rules.ts";
import type { StatusFault } from "./faults.ts";
import { keyOfJson } from "./envelope.ts";
import type { SimulatedMerchant } from "./merchants.ts";
import { type KnownPayout, otherAmount, type Payouts } from "./payouts.ts";
import { type Answer, send, sendFaulty } from "./replies.ts";
import { REFUSAL_TEXTS, SHOWN, STATUS_TEXT } from "./texts.ts";

/** How an unknown code is answered; the documents do not say (docs/gateway.md section 7). */
export type UnknownShape = "success_false" | "empty_array" | "no_data";

const UNKNOWN_SHAPES: Readonly<Record<UnknownShape, unknown>> = {
  success_false: { success: false, data: [], message: "Transaction not found" },
  empty_array: { success: true, data: [], message: STATUS_TEXT },
  no_data: { success: false, message: "Transaction not found" },
};

export interface StatusEndpointOptions {
  readonly payouts: Payouts;
  readonly deposits: Deposits;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly unknown: UnknownShape;
  readonly escaping: Escaping;
  readonly nowMs: () => number;
}

type Known = KnownPayout | KnownDeposit;

interface Told {
  kind: Known["kind"];
  code: string;
  gatewayNumber: string;
  amount: string;
  currency: string;
  number: number;
  word: string;
  note: string;
}

/** POST /api/v1/{merchant}/transactions/status: a form as documented, or JSON as one client sends. */
export function statusEndpoint(options: StatusEndpointOptions) {
  const unknown: Answer = { status: 200, body: JSON.stringify(UNKNOWN_SHAPES[options.unknown]) };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    merchant: string,
    body: string,
  ): void => {
    const code = readCode(request, body, options.merchantOf(merchant), options.escaping);
    if (!code.ok) return send(response, refused(code.error));

    const known: Known | null =
      options.payouts.find(merchant, code.value) ?? options.deposits.find(merchant, code.value);
    const strike = known ? strikeOn(known, options.faults) : null;
    if (!known || (known.kind === "payout" && known.isBurned)) return send(response, unknown);
    const nowMs = options.nowMs();
    const how = strike?.fault.at === "status" ? strike.fault.how : null;
    if (how !== null && typeof how === "object") {
      return sendFaulty(
        request,
        response,
        how,
        found([told(known)], nowMs),
        strike?.delayMs ?? null,
      );
    }
    const records = how === null ? [told(known)] : distorted(known, how, strike, nowMs);
    send(response, records === null ? unknown : found(records, nowMs));
  };
}

function strikeOn(known: Known, faults: FaultChooser): Strike | null {
  known.statusQueries += 1;
  return faults.strike(["status"], {
    code: known.code,
    amount: known.amount,
    currency: known.currency,
    name: known.name,
    attempt: known.statusQueries,
  });
}

/** Of a deposit that is paid: what was really paid. */
function told(known: Known): Told {
  const { kind, code, number: gatewayNumber, currency } = known;
  const amount = (known.kind === "deposit" ? known.paidAmount : null) ?? known.amount;
  const note = known.state === "returned" ? "reversed" : "null";
  return { kind, code, gatewayNumber, amount, currency, ...SHOWN[known.state], note };
}

/** What a status fault makes of the record; null: not found. */
function distorted(
  known: Known,
  how: StatusFault,
  strike: Strike | null,
  nowMs: number,
): Told[] | null {
  const truth = told(known);
  const isFinal = known.state !== "pending" && known.state !== "awaiting_bank";
  if (isFinal) known.finalQueries += 1;
  const query = known.finalQueries;
  const completed = { ...truth, ...SHOWN.settled };
  const failed = { ...truth, ...SHOWN.failed };
  const pending = { ...truth, ...SHOWN.pending };

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
    case "manual":
      return [{ ...truth, number: 4, word: "manual process" }];
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

function found(records: readonly Told[], nowMs: number): Answer {
  const listed = records.map((record) => {
    // Written by hand, because the amount is a JSON number with exactly the digits of the request.
    const fields = JSON.stringify({
      currency_code: record.currency,
      currency_name: record.currency,
      datetime: new Date(nowMs).toISOString(),
      method_name: `Simulated ${record.kind}`,
      note: record.note,
      status: record.word,
      transaction_status: record.number,
      transaction_code: record.code,
      transaction_no: record.gatewayNumber,
      transaction_ref: "null",
      transaction_ref2: "null",
      type: record.kind,
    });
    return `{"amount":${record.amount},"transaction_fee":0,${fields.slice(1)}`;
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

/** The transaction code that is asked for, or the error code of a question that cannot be read. */
function readCode(
  request: IncomingMessage,
  body: string,
  merchant: SimulatedMerchant | null,
  escaping: Escaping,
): Result<string, string> {
  if (!merchant) return err("115");
  const key = request.headers["content-type"]?.includes("json")
    ? keyOfJson(body)
    : new URLSearchParams(body).get("key");
  if (!key) return err("118");
  const opened = merchant.cipher.open(key);
  if (!opened.ok) return err("115");

  const layout = opened.value.startsWith("{") ? "json" : "name=value";
  const read = decode(opened.value, OPERATIONS.status, { layout, escaping });
  const fields = STATUS_REQUEST.safeParse(read.ok ? Object.fromEntries(read.value) : null);
  if (!fields.success) return err("118");
  const { merchant_api_key: apiKey, transaction_code: code } = fields.data;
  return apiKey === merchant.apiKey ? ok(code) : err("115");
}
