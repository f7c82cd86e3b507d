import { isFresh } from "#gateway/wire/timestamp.ts";
import { PAYOUT_REQUEST, type PayoutRequest } from "#gateway/wire/messages.ts";
import { OPERATIONS } from "#gateway/wire/endpoints.ts";
import type { Accounts } from "#simulator/state/accounts.ts";
import type { Book } from "#simulator/state/transaction-log.ts";
import { keyOfJson, openRequest, type Reading } from "#simulator/wire/envelope.ts";
import {
  type FaultChooser,
  isAccept,
  LATE_ARRIVAL_MS,
  SLOW_STORE_MS,
  type Strike,
  type Target,
} from "#simulator/faults/fault-rules.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import type { Payouts } from "#simulator/state/payouts.ts";
import { type Answer, type Answerer, send, sendFaulty } from "#simulator/wire/replies.ts";
import { faultInFields } from "./payout-requirements.ts";
import { ACCEPTED_BODY, type RefusalStyle, refusalBody } from "#simulator/faults/texts.ts";

export interface PayoutEndpointOptions {
  readonly book: Book;
  readonly payouts: Payouts;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly accounts: Accounts;
  /** Returns whether a deposit has the code. */
  readonly isDeposit: (merchantCode: string, code: string) => boolean;
  readonly refusals: RefusalStyle;
  readonly reading: Reading;
  readonly nowMs: () => number;
}

/**
 * POST /api/v1/payout/{merchant}. The documents do not give the order of the checks: readable (115,
 * 118), the timestamp (112), the code (111), then the fields. So a late request is refused even if
 * its code is new, a repeated code is a duplicate whatever the other fields are, and a refusal
 * leaves its code unused.
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

  /** Decides and records. `then` runs once the decision is in the file. */
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
    if (strike && isAccept(strike, "slow_store")) {
      // Unlike in `late_arrival`, the check is already done: a request that arrives meanwhile is
      // accepted as well.
      const workMs = strike.delayMs ?? SLOW_STORE_MS;
      setTimeout(() => store(fields, target, strike, then), workMs).unref();
    } else {
      store(fields, target, strike, then);
    }
  }

  /** Records a payout that has passed its checks. */
  function store(
    fields: PayoutRequest,
    target: Target,
    strike: Strike | null,
    then: (answer: Answer, after: Strike | null) => void,
  ): void {
    options.accounts.take(fields.currency_code, fields.transaction_amount);
    // Choose the fault of the answer here, so that a rule for accepted payouts counts only those.
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

/** The decrypted request, or the error code of an unreadable text. */
function readPayout(
  body: string,
  merchantCode: string,
  options: PayoutEndpointOptions,
): PayoutRequest | string {
  const fields = openRequest(
    keyOfJson(body),
    options.merchantOf(merchantCode),
    OPERATIONS.payout,
    PAYOUT_REQUEST,
    options.reading,
  );
  if (!fields.ok) return fields.error;
  return fields.value.merchant_code === merchantCode ? fields.value : "115";
}

function refusalOf(
  fields: PayoutRequest,
  options: PayoutEndpointOptions,
  isRace: boolean,
): string | null {
  const { merchant_code: merchantCode, currency_code: currency } = fields;
  if (!isFresh(fields.transaction_timestamp, options.nowMs())) return "112";
  if (!isRace && options.payouts.find(merchantCode, fields.transaction_code)) return "111";
  if (options.isDeposit(merchantCode, fields.transaction_code)) return "111";
  if (!options.merchantOf(merchantCode)?.currencies.includes(currency)) return "114";

  const fault = faultInFields(fields, options.reading.dialect);
  if (fault !== null) return fault;
  return options.accounts.covers(currency, fields.transaction_amount) ? null : "119";
}
