import { isFresh } from "#gateway/wire/timestamp.ts";
import type { z } from "zod";
import {
  DEPOSIT_REQUEST,
  DEPOSITOR_REQUEST,
  REFERENCE_REQUESTS,
} from "#gateway/deposit-messages.ts";
import { OPERATIONS } from "#gateway/wire/endpoints.ts";
import type { Result } from "#base/result.ts";
import type { Book } from "#simulator/state/transaction-log.ts";
import { faultInDeposit, REFERENCE_FORMS } from "./deposit-requirements.ts";
import type { Deposits, KnownDeposit } from "#simulator/state/deposits.ts";
import { depositBody, isKrwBank, krwBody } from "#simulator/state/destinations.ts";
import { isKeyOf, keyOfJson, openRequest, type Reading } from "#simulator/wire/envelope.ts";
import {
  type FaultChooser,
  isAccept,
  LATE_ARRIVAL_MS,
  type Strike,
  type Target,
} from "#simulator/faults/fault-rules.ts";
import type { FaultOperation } from "#simulator/faults/faults.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import { methodOf } from "#simulator/state/methods.ts";
import { type Answer, type Answerer, send, sendFaulty } from "#simulator/wire/replies.ts";
import { depositRefusalBody, type RefusalStyle } from "#simulator/faults/texts.ts";
import { type ZoneLabel } from "#simulator/state/time-zone.ts";

export interface DepositEndpointOptions {
  readonly book: Book;
  readonly deposits: Deposits;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  /** Returns whether a deposit or a payout uses the code. */
  readonly isUsed: (merchantCode: string, code: string) => boolean;
  readonly refusals: RefusalStyle;
  readonly reading: Reading;
  readonly zone: ZoneLabel;
  /** The simulator's own address, which serves its images. */
  readonly url: () => string;
  readonly nowMs: () => number;
}

interface Step<T> {
  readonly operation: FaultOperation;
  readonly name: "deposit" | "krw_depositor" | "utr" | "ref_no";
  readonly schema: z.ZodType<T>;
  /** Input of the fault rules. */
  readonly target: (fields: T, merchant: string) => Target;
  /** The error code, or the function that accepts the request and returns its answer. */
  readonly decide: (
    fields: T,
    merchant: SimulatedMerchant,
    fault: string | null,
  ) => string | ((then: (body: string) => void) => void);
}

/**
 * Deposits: the request, both steps of KRW, and the payer's reference (specification, Endpoints).
 */
export function depositEndpoints(options: DepositEndpointOptions) {
  const { book, deposits, faults, merchantOf, nowMs } = options;

  function refuse(
    merchant: string,
    transactionCode: string,
    code: string,
    then: (answer: Answer) => void,
    fault?: string,
  ): void {
    const status = options.refusals === "400" ? 400 : 200;
    book.append(
      {
        event: "deposit_refused",
        merchant,
        transaction_code: transactionCode,
        code,
        ...(fault ? { fault } : {}),
      },
      () => then({ status, body: depositRefusalBody(code, options.refusals) }),
    );
  }

  /** Decrypt, consult the fault rules, decide, record, answer: the same for every step. */
  const answerer =
    <T>({ operation, name, schema, target, decide }: Step<T>): Answerer =>
    (request, response, merchantCode, body) => {
      const merchant = merchantOf(merchantCode);
      const opened: Result<T, string> = openRequest(
        keyOfJson(body),
        merchant,
        OPERATIONS[name],
        schema,
        options.reading,
      );
      const answer = (proper: Answer) => send(response, proper);
      if (!merchant || !opened.ok) {
        return refuse(merchantCode, "", opened.ok ? "115" : opened.error, answer);
      }
      const looked = target(opened.value, merchantCode);
      const strike = faults.strike(["before", "refuse", "accept"], looked, operation);
      const cut = (by: Strike | null, proper: Answer) =>
        by && "reply" in by.fault
          ? sendFaulty(request, response, by.fault.reply, proper, by.delayMs)
          : answer(proper);

      if (strike?.fault.at === "before") {
        book.append(
          {
            event: "deposit_request",
            merchant: merchantCode,
            transaction_code: looked.code,
            fault: strike.name,
          },
          () => cut(strike, { status: 200, body: "{}" }),
        );
        return;
      }
      if (strike?.fault.at === "refuse") {
        return refuse(merchantCode, looked.code, strike.fault.code, answer, strike.name);
      }
      const take = (
        fault: string | null,
        taken: (proper: Answer) => void,
        refused: (proper: Answer) => void,
      ): void => {
        const decided = decide(opened.value, merchant, fault);
        if (typeof decided === "string") return refuse(merchantCode, looked.code, decided, refused);
        decided((text) => taken({ status: 200, body: text }));
      };
      if (strike && isAccept(strike, "late")) {
        request.socket.destroy();
        const unheard = () => {};
        const arrive = () => take(strike.name, unheard, unheard);
        setTimeout(arrive, strike.delayMs ?? LATE_ARRIVAL_MS);
        return;
      }
      if (isAccept(strike, "other_payee") && !deposits.find(merchantCode, looked.code)) {
        deposits.acceptForeign(merchantCode, looked);
      }
      const after = faults.strike(["after"], looked, operation);
      take(strike?.name ?? after?.name ?? null, (proper) => cut(after, proper), answer);
    };

  const targetOf = (merchant: string, code: string): Target => {
    const deposit = deposits.find(merchant, code);
    return {
      code,
      amount: deposit?.amount ?? "",
      currency: deposit?.currency ?? "",
      name: deposit?.name ?? "",
      attempt: deposits.countRequest(merchant, code),
    };
  };

  /**
   * A deposit that still needs the submitted information. All others have it already or never need
   * it.
   */
  const waiting = (merchant: string, code: string, state: KnownDeposit["state"]) => {
    const deposit = deposits.find(merchant, code);
    return deposit?.state === state && deposit.expiresAtMs > nowMs() ? deposit : null;
  };

  const reference = (name: "utr" | "ref_no", message: string) =>
    answerer<Record<string, string>>({
      operation: "reference",
      name,
      schema: REFERENCE_REQUESTS[name],
      target: (fields, merchant) => targetOf(merchant, fields["transaction_code"] ?? ""),
      decide(fields, { code }) {
        if (!REFERENCE_FORMS[name].test(fields[name] ?? "")) return "109";
        if (!waiting(code, fields["transaction_code"] ?? "", "pending")) return "113";
        return (then) => then(JSON.stringify({ status: "success", message }));
      },
    });

  return {
    deposit: answerer({
      operation: "deposit",
      name: "deposit",
      schema: DEPOSIT_REQUEST,
      target: (fields, merchant) => ({
        ...targetOf(merchant, fields.transaction_code),
        amount: fields.transaction_amount,
        currency: fields.currency_code,
        name: fields.deposit_name ?? "",
      }),
      decide(fields, merchant, fault) {
        const { currency_code: currency, transaction_code: code } = fields;
        if (fields.merchant_code !== merchant.code) return "115";
        if (!isKeyOf(merchant, fields.merchant_api_key)) return "115";
        if (!isFresh(fields.transaction_timestamp, nowMs())) return "112";
        if (options.isUsed(merchant.code, code)) return "111";
        if (!merchant.currencies.includes(currency)) return "114";
        const method = methodOf(merchant, fields.payment_code, currency);
        const wrong = faultInDeposit(fields, method, options.reading.dialect);
        if (wrong !== null || method === null) return wrong ?? "110";
        return (then) =>
          deposits.accept(fields, method.variant, fault, (deposit) =>
            then(depositBody(deposit, options.url(), options.zone)),
          );
      },
    }),

    krwDepositor: answerer({
      operation: "krw_depositor",
      name: "krw_depositor",
      schema: DEPOSITOR_REQUEST,
      target: (fields, merchant) => targetOf(merchant, fields.transaction_code),
      decide(fields, merchant) {
        // Before step 1, when repeated, and after the final state: 113 (docs/start/simulator.md).
        const deposit = waiting(merchant.code, fields.transaction_code, "awaiting_bank");
        if (!deposit) return "113";
        if (!isKrwBank(fields.bank_code)) return "110";
        return (then) => deposits.nameAccount(deposit, () => then(krwBody(deposit)));
      },
    }),

    utr: reference("utr", "Success Submit Utr!"),
    refNo: reference("ref_no", "Success Submit RefNo!"),
  };
}
