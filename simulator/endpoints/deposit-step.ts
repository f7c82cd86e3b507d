import type { z } from "zod";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import type { TransactionLog } from "#simulator/state/transaction-log.ts";
import type { Deposits } from "#simulator/state/deposits.ts";
import { keyOfJson, openRequest, type Parsing } from "#simulator/wire/envelope.ts";
import {
  type FaultChooser,
  isAccept,
  LATE_ARRIVAL_MS,
  type Target,
} from "#simulator/faults/fault-rules.ts";
import type { FaultOperation } from "#simulator/faults/faults.ts";
import { depositRefusalBody, type RefusalStyle } from "#simulator/faults/texts.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import { type Answer, type Answerer, send, sendUnlessStruck } from "#simulator/wire/replies.ts";

export interface DepositStepOptions {
  readonly log: TransactionLog;
  readonly deposits: Deposits;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly refusals: RefusalStyle;
  readonly reading: Parsing;
}

/** One request of a deposit: how it is read, and the decision about it. */
export interface Step<T> {
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

/** Decrypt, consult the fault rules, decide, record, answer: the same for every step. */
export function answererOf<T>(options: DepositStepOptions, step: Step<T>): Answerer {
  const { log, deposits, faults } = options;
  const { operation } = step;

  return (request, response, merchantCode, body) => {
    const answer = (proper: Answer) => send(response, proper);
    const merchant = options.merchantOf(merchantCode);
    const opened = openRequest<T>(
      keyOfJson(body),
      merchant,
      ENDPOINTS[step.name],
      step.schema,
      options.reading,
    );
    if (!merchant || !opened.ok) {
      const code = opened.ok ? "115" : opened.error;
      return refuse(options, { merchant: merchantCode, transaction_code: "", code }, answer);
    }
    const target = step.target(opened.value, merchantCode);
    const strike = faults.strike(["before", "refuse", "accept"], target, operation);
    const named = { merchant: merchantCode, transaction_code: target.code };

    if (strike?.fault.at === "before") {
      log.append({ event: "deposit_request", ...named, fault: strike.name }, () =>
        sendUnlessStruck(request, response, { status: 200, body: "{}" }, strike),
      );
      return;
    }
    if (strike?.fault.at === "refuse") {
      return refuse(options, { ...named, code: strike.fault.code, fault: strike.name }, answer);
    }
    const take = (
      fault: string | null,
      taken: (proper: Answer) => void,
      refused: (proper: Answer) => void,
    ): void => {
      const decided = step.decide(opened.value, merchant, fault);
      if (typeof decided === "string") {
        return refuse(options, { ...named, code: decided }, refused);
      }
      decided((text) => taken({ status: 200, body: text }));
    };
    if (strike && isAccept(strike, "late")) {
      request.socket.destroy();
      const unheard = () => {};
      const arrive = () => take(strike.name, unheard, unheard);
      setTimeout(arrive, strike.delayMs ?? LATE_ARRIVAL_MS);
      return;
    }
    if (isAccept(strike, "other_payee") && !deposits.find(merchantCode, target.code)) {
      deposits.acceptForeign(merchantCode, target);
    }
    const after = faults.strike(["after"], target, operation);
    const name = strike?.name ?? after?.name ?? null;
    take(name, (proper) => sendUnlessStruck(request, response, proper, after), answer);
  };
}

interface Refusal {
  readonly merchant: string;
  readonly transaction_code: string;
  /** The error code of the answer. */
  readonly code: string;
  readonly fault?: string;
}

/** Records a refusal. `then` runs once it is in the file. */
function refuse(
  { log, refusals }: DepositStepOptions,
  refusal: Refusal,
  then: (answer: Answer) => void,
): void {
  const status = refusals === "400" ? 400 : 200;
  log.append({ event: "deposit_refused", ...refusal }, () =>
    then({ status, body: depositRefusalBody(refusal.code, refusals) }),
  );
}
