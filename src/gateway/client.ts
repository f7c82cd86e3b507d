import { timestampAt } from "#gateway/wire/timestamp-freshness.ts";
import type { Clock } from "#base/clock.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { readPayoutAnswer } from "./payout-answers.ts";
import { confirmRefusal, isRefusal } from "./confirm-refusal.ts";
import { type DepositClient, createDepositClient, type KrwPath } from "./deposit-client.ts";
import {
  type Attempt,
  readAttempt,
  type Evidence,
  evidenceOf,
  type Exchange,
  type Exchanger,
  createExchanger,
  noMerchantText,
  notEncodableAttempt,
  withoutAnswer,
  notQueried,
  attemptWithoutMerchant,
} from "./exchange.ts";
import type { Keyring, Merchant } from "#gateway/wire/keyring.ts";
import type { Escaping, Layout, TransportEncoding } from "#gateway/wire/endpoints.ts";
import { redact } from "#gateway/wire/redact.ts";
import { encodePayout, encodeStatus, layoutProblemText } from "./requests.ts";
import { readStatusAnswer } from "./status-answer.ts";
import { httpTransport, type Transport } from "#gateway/wire/transport.ts";

export type PayoutAttempt = Attempt<Outcome>;

interface StatusReply {
  readonly answer: StatusAnswer;
  readonly evidence: Evidence;
}

/** The gateway operations for payouts. */
export interface PayoutClient {
  /**
   * Sends one POST without retries and with one total deadline. Adds a new timestamp and encrypts.
   * Throws only because of a bug, before anything is sent.
   *
   * @example
   * ```ts
   * const beneficiary = { account_name: "Asha Rao", bank_account_number: "50100000000001" };
   * const bank = { bank_code: "HDFC", bank_name: "HDFC Bank", ifsc_code: "HDFC0000001" };
   * const submission = await gateway.submitPayout({
   *   transactionCode: "ORDER-1001",
   *   money: { currency: "INR", minor: 150_000n, minorDigits: 2 },
   *   details: { user_id: "U1", ...beneficiary, ...bank },
   *   payoutCode: null,
   *   callbackUrl: null,
   * });
   * if (submission.kind === "attempted") console.log(submission.outcome.kind); // → accepted
   * ```
   */
  submitPayout(order: PayoutOrder): Promise<PayoutAttempt>;
  /**
   * Queries the status of a payout.
   *
   * @example
   * ```ts
   * const { answer } = await gateway.status("INR", "ORDER-1001");
   * if (answer.kind === "found") {
   *   console.log(answer.record.state, answer.record.amount); // → pending 1500.00
   * }
   * ```
   */
  status(currency: string, transactionCode: string): Promise<StatusReply>;
  /**
   * Reports whether any HTTP answer arrives within the deadline, and the difference between the
   * clocks in milliseconds.
   */
  probe(): Promise<{ reachable: boolean; detail: string; clockOffsetMs: number | null }>;
  close(): void;
}

/** All operations of the gateway. */
export interface GatewayClient extends PayoutClient, DepositClient {
  /** Queries the status of a deposit, with the same request as for payouts. */
  depositStatus(currency: string, transactionCode: string): Promise<StatusReply>;
}

export interface GatewayClientOptions {
  /** The gateway's base address, which may contain a path. */
  readonly url: string;
  readonly keyring: Keyring;
  /**
   * Deadline in milliseconds for the whole exchange, from our first byte to the gateway's last
   * (F43).
   */
  readonly timeoutMs: number;
  /** The layout for merchants without their own. */
  readonly payoutLayout: Layout;
  readonly escaping: Escaping;
  /**
   * Encoding of the encrypted text in the status form. The default follows the documentation
   * (docs/reference/gateway.md 1.1).
   */
  readonly statusEncoding?: TransportEncoding;
  /**
   * The default follows the specification, where KRW deposits use the same path as all deposits.
   */
  readonly krwPath?: KrwPath;
  readonly maxSockets: number;
  readonly clock: Clock;
  readonly userAgent: string;
}

/**
 * Creates the client of the gateway.
 * @param transport carries the requests: HTTP, unless a simulation provides its own.
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { systemClock } from "#base/clock.ts";
 * import { createGatewayClient } from "#gateway/client.ts";
 * import { makeKeyring, parseMerchants } from "#gateway/wire/keyring.ts";
 *
 * const merchants = parseMerchants(JSON.parse(readFileSync(merchantsFile, "utf8")));
 * if (!merchants.ok) throw new Error(merchants.error);
 * const keyring = makeKeyring(merchants.value);
 * const form = { payoutLayout: "name=value", escaping: "none" } as const;
 * const limits = { timeoutMs: 30_000, maxSockets: 8 };
 * const own = { url: gatewayUrl, keyring, clock: systemClock, userAgent: "shop/1" };
 * const gateway = createGatewayClient({ ...own, ...form, ...limits });
 * console.log((await gateway.probe()).detail); // → HTTP 404
 * gateway.close();
 * ```
 */
export function createGatewayClient(
  options: GatewayClientOptions,
  transport: Transport = httpTransport(options),
): GatewayClient {
  const { keyring, escaping, statusEncoding } = options;
  const exchanger = createExchanger(transport, options);

  const ask = async (
    kind: "payout" | "deposit",
    currency: string,
    transactionCode: string,
  ): Promise<StatusReply> => {
    const merchant = keyring.forCurrency(currency);
    if (!merchant) return notQueried("no_merchant", noMerchantText(currency));

    const plaintext = encodeStatus(transactionCode, merchant, escaping);
    if (!plaintext.ok) return notQueried("not_encodable", layoutProblemText(plaintext.error));

    const result = await exchanger.send("status", merchant, plaintext.value, statusEncoding);
    return statusOf(result, transactionCode, merchant, kind);
  };

  return {
    submitPayout: (order) => submit(order, exchanger, options),
    status: (currency, transactionCode) => ask("payout", currency, transactionCode),
    depositStatus: (currency, transactionCode) => ask("deposit", currency, transactionCode),

    async probe() {
      const result = await exchanger.probe();
      if (result.kind === "failure") {
        const detail = `no response (${result.failure.code})`;
        return { reachable: false, detail, clockOffsetMs: null };
      }
      const { status, dateOffsetMs } = result.answer;
      return { reachable: true, detail: `HTTP ${status}`, clockOffsetMs: dateOffsetMs };
    },

    ...createDepositClient(exchanger, options),

    close: () => transport.close(),
  };
}

async function submit(
  order: PayoutOrder,
  exchanger: Exchanger,
  options: GatewayClientOptions,
): Promise<PayoutAttempt> {
  const { keyring, clock, escaping, statusEncoding } = options;
  const merchant = keyring.forCurrency(order.money.currency);
  if (!merchant) return attemptWithoutMerchant(order.money.currency);

  const timestampSeconds = timestampAt(clock.nowMs());
  const layout = merchant.payoutLayout ?? options.payoutLayout;
  const plaintext = encodePayout(order, merchant, timestampSeconds, { layout, escaping });
  if (!plaintext.ok) return notEncodableAttempt(plaintext.error);

  const connection = exchanger.connect();
  const query = async () => {
    const status = encodeStatus(order.transactionCode, merchant, escaping);
    return status.ok ? connection.send("status", merchant, status.value, statusEncoding) : null;
  };
  try {
    const result = await connection.send("payout", merchant, plaintext.value);
    const attempt = readAttempt(result, merchant, readPayoutAnswer);
    const confirmed =
      result.isReused && isRefusal(attempt.outcome)
        ? await confirmRefusal(attempt, query, order.transactionCode)
        : attempt;
    // After any other answer, the next answer may belong to another request.
    const { kind } = confirmed.outcome;
    if (kind === "in_doubt" || kind === "duplicate") connection.discard();
    return confirmed;
  } finally {
    connection.release();
  }
}

function statusOf(
  result: Exchange,
  transactionCode: string,
  merchant: Merchant,
  kind: "payout" | "deposit",
): StatusReply {
  if (result.kind === "failure") return withoutAnswer(result);
  const answer = readStatusAnswer(result.answer, transactionCode, kind);
  if (answer.kind === "found") {
    const says = redact(answer.record.says ?? "", merchant);
    const record = says ? { ...answer.record, says } : answer.record;
    const { state, currency, amount } = record;
    const text = `${state} ${currency} ${amount}`.slice(0, 80);
    return { answer: { ...answer, record }, evidence: evidenceOf(result, null, text) };
  }
  const text = redact(answer.text, merchant);
  if (answer.kind === "not_found") {
    return { answer: { ...answer, text }, evidence: evidenceOf(result, null, text) };
  }
  const code = redact(answer.code, merchant);
  return { answer: { ...answer, code, text }, evidence: evidenceOf(result, code, text) };
}
