import { timestampAt } from "#gateway/wire/timestamp-freshness.ts";
import type { Clock } from "#base/clock.ts";
import type { Depositor, DepositOrder, PayerReference } from "#deposit/deposit.ts";
import type { DepositOutcome, ReferenceOutcome } from "#deposit/outcome.ts";
import { type BalanceAnswer, readBalanceAnswer } from "./balance-answer.ts";
import { readDepositAnswer, readDepositorAnswer, readReferenceAnswer } from "./deposit-answers.ts";
import {
  encodeBalance,
  encodeDeposit,
  encodeDepositor,
  encodeReference,
} from "./deposit-requests.ts";
import {
  type Attempt,
  readAttempt,
  type Evidence,
  evidenceOf,
  type Exchanger,
  noMerchantText,
  notEncodableAttempt,
  withoutAnswer,
  notQueried,
  attemptWithoutMerchant,
} from "./exchange.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import type { Escaping } from "#gateway/wire/endpoints.ts";
import { redact } from "#gateway/wire/redact.ts";
import { layoutProblemText } from "./requests.ts";

/**
 * The path of step 1 of a KRW deposit: the common path of deposits, or its own (gateway.md
 * section 9).
 */
export type KrwPath = "dopayment" | "krw-payment";

export interface BalanceReply {
  readonly answer: BalanceAnswer;
  readonly evidence: Evidence;
}

/**
 * The gateway operations for deposits. As for payouts, each sends one POST without retries and with
 * one deadline.
 */
export interface DepositClient {
  /**
   * Requests a deposit, or step 1 of a KRW deposit. Throws only because of a bug, before anything
   * is sent.
   */
  requestDeposit(order: DepositOrder): Promise<Attempt<DepositOutcome>>;
  /** Sends the account from which the payer pays (KRW step 2). */
  submitDepositor(depositor: Depositor): Promise<Attempt<DepositOutcome>>;
  /** Sends the payment reference of the payer's bank, if the gateway accepts one (INR, BDT). */
  submitReference(reference: PayerReference): Promise<Attempt<ReferenceOutcome>>;
  /** Queries the balance of the merchant's account in a currency. */
  balance(currency: string): Promise<BalanceReply>;
}

interface DepositClientOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly escaping: Escaping;
  readonly krwPath?: KrwPath;
}

/** Creates the client for the gateway's deposit endpoints. */
export function createDepositClient(
  exchanger: Exchanger,
  { keyring, clock, escaping, krwPath }: DepositClientOptions,
): DepositClient {
  return {
    async requestDeposit(order) {
      const { currency } = order.money;
      const merchant = keyring.forCurrency(currency);
      if (!merchant) return attemptWithoutMerchant(currency);

      const stampSeconds = timestampAt(clock.nowMs());
      const plaintext = encodeDeposit(order, merchant, stampSeconds, escaping);
      if (!plaintext.ok) return notEncodableAttempt(plaintext.error);

      const name = currency === "KRW" && krwPath === "krw-payment" ? "krw_deposit" : "deposit";
      const result = await exchanger.send(name, merchant, plaintext.value);
      return readAttempt(result, merchant, (answer) =>
        readDepositAnswer(answer, order.transactionCode),
      );
    },

    async submitDepositor(depositor) {
      const merchant = keyring.forCurrency("KRW");
      if (!merchant) return attemptWithoutMerchant("KRW");
      const plaintext = encodeDepositor(depositor, escaping);
      if (!plaintext.ok) return notEncodableAttempt(plaintext.error);

      const result = await exchanger.send("krw_depositor", merchant, plaintext.value);
      return readAttempt(result, merchant, (answer) =>
        readDepositorAnswer(answer, depositor.transactionCode),
      );
    },

    async submitReference(reference) {
      const merchant = keyring.forCurrency(reference.currency);
      if (!merchant) return attemptWithoutMerchant(reference.currency);
      const encoded = encodeReference(reference, escaping);
      if (!encoded.ok) return notEncodableAttempt(encoded.error);

      const { name, plaintext } = encoded.value;
      const result = await exchanger.send(name, merchant, plaintext);
      return readAttempt(result, merchant, readReferenceAnswer);
    },

    async balance(currency) {
      const merchant = keyring.forCurrency(currency);
      if (!merchant) return notQueried("no_merchant", noMerchantText(currency));
      const plaintext = encodeBalance(merchant, escaping);
      if (!plaintext.ok) return notQueried("not_encodable", layoutProblemText(plaintext.error));

      const result = await exchanger.send("balance", merchant, plaintext.value);
      if (result.kind === "failure") return withoutAnswer(result);

      const answer = readBalanceAnswer(result.answer, currency);
      if (answer.kind === "told") return { answer, evidence: evidenceOf(result, null, "") };
      const code = redact(answer.code, merchant);
      const text = redact(answer.text, merchant);
      return { answer: { ...answer, code, text }, evidence: evidenceOf(result, code, text) };
    },
  };
}
