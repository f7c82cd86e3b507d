import { isFresh } from "#gateway/wire/timestamp-freshness.ts";
import {
  DEPOSIT_REQUEST,
  DEPOSITOR_REQUEST,
  REFERENCE_REQUESTS,
} from "#gateway/deposit-messages.ts";
import { answererOf, type DepositStepOptions } from "./deposit-step.ts";
import { findDepositProblem, REFERENCE_FORMS } from "./deposit-requirements.ts";
import type { KnownDeposit } from "#simulator/state/deposits.ts";
import { depositBody, isKrwBank, krwBody } from "#simulator/state/destinations.ts";
import { isKeyOf } from "#simulator/wire/envelope.ts";
import type { Target } from "#simulator/faults/fault-rules.ts";
import { methodOf } from "#simulator/state/methods.ts";
import type { Answerer } from "#simulator/wire/replies.ts";
import type { ZoneLabel } from "#simulator/state/time-zone.ts";

export interface DepositEndpointOptions extends DepositStepOptions {
  /** Returns whether a deposit or a payout uses the code. */
  readonly isUsed: (merchantCode: string, code: string) => boolean;
  readonly zone: ZoneLabel;
  /** The simulator's own address, which serves its images. */
  readonly url: () => string;
  readonly nowMs: () => number;
}

/**
 * Deposits: the request, both steps of KRW, and the payer's reference (specification, Endpoints).
 */
export function depositEndpoints(options: DepositEndpointOptions) {
  return {
    deposit: depositRequest(options),
    krwDepositor: krwDepositor(options),
    utr: payerReference(options, "utr", "Success Submit Utr!"),
    refNo: payerReference(options, "ref_no", "Success Submit RefNo!"),
  };
}

/** Creates a deposit. Its answer tells the payer where to pay. */
function depositRequest(options: DepositEndpointOptions): Answerer {
  const { deposits } = options;
  return answererOf(options, {
    operation: "deposit",
    name: "deposit",
    schema: DEPOSIT_REQUEST,
    target: (fields, merchant) => ({
      ...targetOf(options, merchant, fields.transaction_code),
      amount: fields.transaction_amount,
      currency: fields.currency_code,
      name: fields.deposit_name ?? "",
    }),
    decide(fields, merchant, fault) {
      const { currency_code: currency, transaction_code: code } = fields;
      if (fields.merchant_code !== merchant.code) return "115";
      if (!isKeyOf(merchant, fields.merchant_api_key)) return "115";
      if (!isFresh(fields.transaction_timestamp, options.nowMs())) return "112";
      if (options.isUsed(merchant.code, code)) return "111";
      if (!merchant.currencies.includes(currency)) return "114";
      const method = methodOf(merchant, fields.payment_code, currency);
      const wrong = findDepositProblem(fields, method, options.reading.dialect);
      if (wrong !== null || method === null) return wrong ?? "110";
      return (then) =>
        deposits.accept(fields, method.variant, fault, (deposit) =>
          then(depositBody(deposit, options.url(), options.zone)),
        );
    },
  });
}

/** Step 2 of a KRW deposit: the payer's bank account. */
function krwDepositor(options: DepositEndpointOptions): Answerer {
  return answererOf(options, {
    operation: "krw_depositor",
    name: "krw_depositor",
    schema: DEPOSITOR_REQUEST,
    target: (fields, merchant) => targetOf(options, merchant, fields.transaction_code),
    decide(fields, { code: merchant }) {
      // Before step 1, when repeated, and after the final state: 113 (docs/start/simulator.md).
      const deposit = waiting(options, merchant, fields.transaction_code, "awaiting_bank");
      if (!deposit) return "113";
      if (!isKrwBank(fields.bank_code)) return "110";
      return (then) => options.deposits.nameAccount(deposit, () => then(krwBody(deposit)));
    },
  });
}

/** The reference number that the payer's bank gave the transfer. */
function payerReference(
  options: DepositEndpointOptions,
  name: "utr" | "ref_no",
  message: string,
): Answerer {
  return answererOf<Record<string, string>>(options, {
    operation: "reference",
    name,
    schema: REFERENCE_REQUESTS[name],
    target: (fields, merchant) => targetOf(options, merchant, fields["transaction_code"] ?? ""),
    decide(fields, { code: merchant }) {
      if (!REFERENCE_FORMS[name].test(fields[name] ?? "")) return "109";
      const code = fields["transaction_code"] ?? "";
      if (!waiting(options, merchant, code, "pending")) return "113";
      return (then) => then(JSON.stringify({ status: "success", message }));
    },
  });
}

/** Input of the fault rules about a deposit. Counts the request. */
function targetOf({ deposits }: DepositEndpointOptions, merchant: string, code: string): Target {
  const deposit = deposits.find(merchant, code);
  return {
    code,
    amount: deposit?.amount ?? "",
    currency: deposit?.currency ?? "",
    name: deposit?.name ?? "",
    attempt: deposits.countRequest(merchant, code),
  };
}

/**
 * A deposit that still needs the submitted information. All others have it already or never need
 * it.
 */
function waiting(
  { deposits, nowMs }: DepositEndpointOptions,
  merchant: string,
  code: string,
  state: KnownDeposit["state"],
): KnownDeposit | null {
  const deposit = deposits.find(merchant, code);
  return deposit?.state === state && deposit.expiresAtMs > nowMs() ? deposit : null;
}
