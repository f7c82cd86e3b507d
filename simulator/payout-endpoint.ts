import type { IncomingMessage, ServerResponse } from "node:http";
import { decode } from "#gateway/layout.ts";
import { PAYOUT_REQUEST, type PayoutRequest, SEALED_BODY } from "#gateway/messages.ts";
import { type Escaping, OPERATIONS } from "#gateway/operations.ts";
import { type Book, scaled } from "./book.ts";
import type { FaultChooser, Strike, Target } from "./fault-rules.ts";
import { parseJson } from "./json.ts";
import type { SimulatedMerchant } from "./merchants.ts";
import type { Payouts } from "./payouts.ts";
import { type Answer, send, sendFaulty } from "./replies.ts";
import { faultInFields } from "./requirements.ts";
import { ACCEPTED_BODY, type RefusalStyle, refusalBody } from "./texts.ts";

/** The timestamp may be at most this old, or this far ahead (specification, Limits). */
const PAST_MAX_SECONDS = 3600;
const FUTURE_MAX_SECONDS = 300;
const LATE_ARRIVAL_MS = 2000;

export interface PayoutEndpointOptions {
  readonly book: Book;
  readonly payouts: Payouts;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  /** What is left to pay out per currency, scaled to eight decimals; a currency without an entry has no end. */
  readonly balances: Map<string, bigint>;
  readonly refusals: RefusalStyle;
  readonly escaping: Escaping;
  readonly nowMs: () => number;
}

type Answerer = (
  request: IncomingMessage,
  response: ServerResponse,
  merchant: string,
  body: string,
) => void;

/**
 * POST /api/v1/payout/{merchant}. The order of the checks, where the documents give none: readable (115,
 * 118), the timestamp (112), the code (111), then the fields. So a late request is refused even if its
 * code is new, a repeated code is a duplicate whatever else it holds, and a refusal leaves its code free.
 */
export function payoutEndpoint(options: PayoutEndpointOptions): Answerer {
  const { book, payouts, faults } = options;

  const refuse = (code: string): Answer => ({
    status: options.refusals === "400" ? 400 : 200,
    body: refusalBody(code, options.refusals),
  });

  function refuseOnBook(
    merchant: string,
    transactionCode: string,
    code: string,
    then: (answer: Answer) => void,
    fault?: string,
  ) {
    return book.append(
      {
        event: "refused",
        merchant,
        transaction_code: transactionCode,
        code,
        ...(fault ? { fault } : {}),
      },
      () => then(refuse(code)),
    );
  }

  /** Decides and books; `then` runs once the decision is in the file. */
  function decide(
    fields: PayoutRequest,
    target: Target,
    strike: Strike | null,
    then: (answer: Answer, after: Strike | null) => void,
  ): void {
    const { merchant_code: merchant, transaction_code: code } = fields;
    const isRace = isAccept(strike, "race");
    if (isAccept(strike, "other_payee") && !payouts.find(merchant, code))
      payouts.acceptForeign(fields);

    const refusal = refusalOf(fields, options, isRace);
    if (refusal !== null) {
      refuseOnBook(merchant, code, refusal, (answer) => then(answer, null), strike?.name);
      return;
    }
    const left = options.balances.get(fields.currency_code);
    if (left !== undefined) {
      options.balances.set(fields.currency_code, left - scaled(fields.transaction_amount));
    }
    // What strikes the answer is chosen here, so that a rule for accepted payouts counts only those.
    const after = faults.strike(["after"], target);
    const name = strike?.name ?? after?.name ?? null;
    const payout = payouts.accept(fields, name, () =>
      then({ status: 200, body: ACCEPTED_BODY }, after),
    );
    if (isAccept(strike, "forget")) {
      payout.forgottenAtMs = options.nowMs() + (strike?.delayMs ?? 0);
    }
  }

  return (request, response, merchantCode, body) => {
    const fields = readPayout(body, merchantCode, options);
    if (typeof fields === "string") {
      refuseOnBook(merchantCode, "", fields, (answer) => send(response, answer));
      return;
    }
    const code = fields.transaction_code;
    const target = {
      code,
      amount: fields.transaction_amount,
      currency: fields.currency_code,
      name: fields.account_name,
      attempt: payouts.countRequest(merchantCode, code),
    };
    const strike = faults.strike(["before", "refuse", "accept"], target);

    if (strike?.fault.at === "before") {
      const { reply } = strike.fault;
      const answer = { status: 200, body: ACCEPTED_BODY };
      book.append(
        { event: "request", merchant: merchantCode, transaction_code: code, fault: strike.name },
        () => sendFaulty(request, response, reply, answer, strike.delayMs),
      );
      return;
    }
    if (strike?.fault.at === "refuse") {
      refuseOnBook(
        merchantCode,
        code,
        strike.fault.code,
        (answer) => send(response, answer),
        strike.name,
      );
      return;
    }
    if (isAccept(strike, "burn") && !payouts.find(merchantCode, code)) {
      const line = refuseOnBook(
        merchantCode,
        code,
        "112",
        (answer) => send(response, answer),
        "burn",
      );
      payouts.burn(fields, line);
      return;
    }
    if (strike && isAccept(strike, "late")) {
      request.socket.destroy();
      setTimeout(() => decide(fields, target, strike, () => {}), strike.delayMs ?? LATE_ARRIVAL_MS);
      return;
    }
    decide(fields, target, strike, (answer, after) => {
      if (after?.fault.at === "after") {
        sendFaulty(request, response, after.fault.reply, answer, after.delayMs);
      } else {
        send(response, answer);
      }
    });
  };
}

const isAccept = (strike: Strike | null, how: string): boolean =>
  strike?.fault.at === "accept" && strike.fault.how === how;

/** The opened request, or the error code of a text that cannot be read. */
function readPayout(
  body: string,
  merchantCode: string,
  options: PayoutEndpointOptions,
): PayoutRequest | string {
  const merchant = options.merchantOf(merchantCode);
  if (!merchant) return "115";
  const sealed = SEALED_BODY.safeParse(parseJson(body));
  if (!sealed.success) return "118";
  const opened = merchant.cipher.open(sealed.data.key);
  // A text sealed with another key cannot be told from a broken one; the documents have 115 for the key.
  if (!opened.ok) return "115";

  const layout = opened.value.startsWith("{") ? "json" : "name=value";
  const read = decode(opened.value, OPERATIONS.payout, { layout, escaping: options.escaping });
  if (!read.ok) return "118";
  for (const [name, value] of read.value) {
    if (value === "" || value === "null") read.value.delete(name);
  }
  const fields = PAYOUT_REQUEST.safeParse(Object.fromEntries(read.value));
  if (!fields.success) {
    const isUnknownName = fields.error.issues.some(({ code }) => code === "unrecognized_keys");
    return isUnknownName ? "118" : "109";
  }
  return fields.data.merchant_code === merchantCode ? fields.data : "115";
}

function refusalOf(
  fields: PayoutRequest,
  options: PayoutEndpointOptions,
  isRace: boolean,
): string | null {
  const { merchant_code: merchantCode, currency_code: currency } = fields;
  const ageSeconds = options.nowMs() / 1000 - Number(fields.transaction_timestamp);
  if (ageSeconds > PAST_MAX_SECONDS || ageSeconds < -FUTURE_MAX_SECONDS) return "112";
  if (!isRace && options.payouts.find(merchantCode, fields.transaction_code)) return "111";
  if (!options.merchantOf(merchantCode)?.currencies.includes(currency)) return "114";

  const fault = faultInFields(fields);
  if (fault !== null) return fault;
  const left = options.balances.get(currency);
  return left !== undefined && left < scaled(fields.transaction_amount) ? "119" : null;
}
