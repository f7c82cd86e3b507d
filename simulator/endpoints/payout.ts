import { isFresh } from "#gateway/wire/timestamp-freshness.ts";
import { PAYOUT_REQUEST, type PayoutRequest } from "#gateway/wire/messages.ts";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import type { Accounts } from "#simulator/state/accounts.ts";
import type { TransactionLog } from "#simulator/state/transaction-log.ts";
import { keyOfJson, openRequest, type Parsing } from "#simulator/wire/envelope.ts";
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
import { type Answer, type Answerer, send, sendUnlessStruck } from "#simulator/wire/replies.ts";
import { findPayoutProblem } from "./payout-requirements.ts";
import { ACCEPTED_BODY, type RefusalStyle, refusalBody } from "#simulator/faults/texts.ts";

export interface PayoutEndpointOptions {
  readonly log: TransactionLog;
  readonly payouts: Payouts;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly accounts: Accounts;
  /** Returns whether a deposit has the code. */
  readonly isDeposit: (merchantCode: string, code: string) => boolean;
  readonly refusals: RefusalStyle;
  readonly reading: Parsing;
  readonly nowMs: () => number;
}

/** A readable request and its fault. */
interface Received {
  readonly fields: PayoutRequest;
  readonly target: Target;
  readonly strike: Strike | null;
}

/**
 * POST /api/v1/payout/{merchant}. The documents do not give the order of the checks: readable (115,
 * 118), the timestamp (112), the code (111), then the fields. So a late request is refused even if
 * its code is new, a repeated code is a duplicate whatever the other fields are, and a refusal
 * leaves its code unused.
 */
export function payoutEndpoint(options: PayoutEndpointOptions): Answerer {
  const { log, payouts, faults } = options;

  return (request, response, merchantCode, body) => {
    const answer = (proper: Answer) => send(response, proper);
    const fields = readPayout(body, merchantCode, options);
    if (typeof fields === "string") {
      refuse(options, { merchant: merchantCode, transaction_code: "", code: fields }, answer);
      return;
    }
    const code = fields.transaction_code;
    const target = targetOf(fields, payouts.countRequest(merchantCode, code));
    const strike = faults.strike(["before", "refuse", "accept"], target);
    const received: Received = { fields, target, strike };
    const named = { merchant: merchantCode, transaction_code: code };

    if (strike?.fault.at === "before") {
      log.append({ event: "request", ...named, fault: strike.name }, () =>
        sendUnlessStruck(request, response, { status: 200, body: ACCEPTED_BODY }, strike),
      );
    } else if (strike?.fault.at === "refuse") {
      refuse(options, { ...named, code: strike.fault.code, fault: strike.name }, answer);
    } else if (isAccept(strike, "burn") && !payouts.find(merchantCode, code)) {
      const line = refuse(options, { ...named, code: "112", fault: "burn" }, answer);
      payouts.burn(fields, line);
    } else if (strike && isAccept(strike, "late")) {
      request.socket.destroy();
      const arrive = () => decide(received, options, () => {});
      setTimeout(arrive, strike.delayMs ?? LATE_ARRIVAL_MS);
    } else {
      decide(received, options, (proper, after) =>
        sendUnlessStruck(request, response, proper, after),
      );
    }
  };
}

const targetOf = (fields: PayoutRequest, attempt: number): Target => ({
  code: fields.transaction_code,
  amount: fields.transaction_amount,
  currency: fields.currency_code,
  name: fields.account_name,
  bankCode: fields.bank_code ?? "",
  attempt,
});

interface Refusal {
  readonly merchant: string;
  readonly transaction_code: string;
  /** The error code of the answer. */
  readonly code: string;
  readonly fault?: string;
}

/** Records a refusal. `then` runs once it is in the file. */
function refuse(
  { log, refusals }: PayoutEndpointOptions,
  refusal: Refusal,
  then: (answer: Answer) => void,
) {
  const status = refusals === "400" ? 400 : 200;
  return log.append({ event: "refused", ...refusal }, () =>
    then({ status, body: refusalBody(refusal.code, refusals) }),
  );
}

/** Decides and records. `then` runs once the decision is in the file. */
function decide(
  received: Received,
  options: PayoutEndpointOptions,
  then: (answer: Answer, after: Strike | null) => void,
): void {
  const { fields, strike } = received;
  const { merchant_code: merchant, transaction_code: code } = fields;
  const { payouts } = options;
  const isRace = isAccept(strike, "race");
  if (isAccept(strike, "other_payee") && !payouts.find(merchant, code))
    payouts.acceptForeign(fields);

  const error = refusalOf(fields, options, isRace);
  if (error !== null) {
    const refusal = { merchant, transaction_code: code, code: error };
    refuse(options, strike ? { ...refusal, fault: strike.name } : refusal, (answer) =>
      then(answer, null),
    );
    return;
  }
  if (strike && isAccept(strike, "slow_store")) {
    // Unlike in `late_arrival`, the check is already done: a request that arrives meanwhile is
    // accepted as well.
    const workMs = strike.delayMs ?? SLOW_STORE_MS;
    setTimeout(() => store(received, options, then), workMs).unref();
  } else {
    store(received, options, then);
  }
}

/** Records a payout that has passed its checks. */
function store(
  { fields, target, strike }: Received,
  { accounts, faults, payouts, nowMs }: PayoutEndpointOptions,
  then: (answer: Answer, after: Strike | null) => void,
): void {
  accounts.take(fields.currency_code, fields.transaction_amount);
  // Choose the fault of the answer here, so that a rule for accepted payouts counts only those.
  const after = faults.strike(["after"], target);
  const name = strike?.name ?? after?.name ?? null;
  const payout = payouts.accept(fields, name, () =>
    then({ status: 200, body: ACCEPTED_BODY }, after),
  );
  if (isAccept(strike, "forget")) {
    payout.forgottenAtMs = nowMs() + (strike?.delayMs ?? 0);
  }
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
    ENDPOINTS.payout,
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

  const fault = findPayoutProblem(fields, options.reading.dialect);
  if (fault !== null) return fault;
  return options.accounts.covers(currency, fields.transaction_amount) ? null : "119";
}
