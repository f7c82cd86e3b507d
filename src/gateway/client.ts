import type { Clock } from "#clock.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { readPayoutAnswer } from "./answers.ts";
import { confirmRefusal, isRefusal } from "./confirm-refusal.ts";
import { type DepositClient, depositsOver, type KrwPath } from "./deposit-client.ts";
import {
  type Attempt,
  attemptOf,
  type Evidence,
  evidenceOf,
  type Exchange,
  exchangerOver,
  noMerchant,
  notEncodable,
  unanswered,
  unasked,
  withoutMerchant,
} from "./exchange.ts";
import type { Keyring, Merchant } from "./keyring.ts";
import type { Escaping, Layout, TransportEncoding } from "./operations.ts";
import { redact } from "./redact.ts";
import { encodePayout, encodeStatus, sentence } from "./requests.ts";
import { readStatusAnswer } from "./status-answer.ts";
import { httpTransport, type Transport } from "./transport.ts";

export type Submission = Attempt<Outcome>;

interface StatusReply {
  readonly answer: StatusAnswer;
  readonly evidence: Evidence;
}

/** What the gateway does for those who pay. */
export interface PayoutClient {
  /** One POST, no retries, one total deadline. Stamps a fresh timestamp and encrypts inside. Throws on a bug alone, before anything is sent. */
  submitPayout(order: PayoutOrder): Promise<Submission>;
  status(currency: string, transactionCode: string): Promise<StatusReply>;
  /** Whether any HTTP answer comes back within the deadline; and how far the clocks are apart. */
  probe(): Promise<{ reachable: boolean; detail: string; clockOffsetMs: number | null }>;
  close(): void;
}

/** Everything that the gateway can be asked. */
export interface GatewayClient extends PayoutClient, DepositClient {
  /** What became of a deposit; the same question as for payouts. */
  depositStatus(currency: string, transactionCode: string): Promise<StatusReply>;
}

export interface GatewayClientOptions {
  /** The gateway's base address; it may have a path. */
  readonly url: string;
  readonly keyring: Keyring;
  /** One deadline over the whole exchange, from the first byte of ours to the last of theirs (F43). */
  readonly timeoutMs: number;
  /** Of merchants without a layout of their own. */
  readonly payoutLayout: Layout;
  readonly escaping: Escaping;
  /** How the status form carries the sealed text; the default is the documentation's (docs/gateway.md 1.1). */
  readonly statusEncoding?: TransportEncoding;
  /** The default is the specification's, with all deposits. */
  readonly krwPath?: KrwPath;
  readonly maxSockets: number;
  readonly clock: Clock;
  readonly userAgent: string;
}

/** @param transport carries the requests: HTTP, unless a simulation has a wire of its own. */
export function createGatewayClient(
  options: GatewayClientOptions,
  transport: Transport = httpTransport(options),
): GatewayClient {
  const { keyring, clock, escaping, statusEncoding } = options;
  const exchanger = exchangerOver(transport, options);

  const ask = async (
    kind: "payout" | "deposit",
    currency: string,
    transactionCode: string,
  ): Promise<StatusReply> => {
    const merchant = keyring.forCurrency(currency);
    if (!merchant) return unasked("no_merchant", noMerchant(currency));

    const plaintext = encodeStatus(transactionCode, merchant, escaping);
    if (!plaintext.ok) return unasked("not_encodable", sentence(plaintext.error));

    const result = await exchanger.send("status", merchant, plaintext.value, statusEncoding);
    return statusOf(result, transactionCode, merchant, kind);
  };

  return {
    async submitPayout(order) {
      const merchant = keyring.forCurrency(order.money.currency);
      if (!merchant) return withoutMerchant(order.money.currency);

      const timestampSeconds = Math.floor(clock.nowMs() / 1000);
      const layout = merchant.payoutLayout ?? options.payoutLayout;
      const plaintext = encodePayout(order, merchant, timestampSeconds, { layout, escaping });
      if (!plaintext.ok) return notEncodable(plaintext.error);

      const connection = exchanger.connect();
      const query = async () => {
        const status = encodeStatus(order.transactionCode, merchant, escaping);
        return status.ok ? connection.send("status", merchant, status.value, statusEncoding) : null;
      };
      try {
        const result = await connection.send("payout", merchant, plaintext.value);
        const attempt = attemptOf(result, merchant, readPayoutAnswer);
        const confirmed =
          result.isReused && isRefusal(attempt.outcome)
            ? await confirmRefusal(attempt, query, order.transactionCode)
            : attempt;
        // After any other answer the next one may belong to another request.
        const { kind } = confirmed.outcome;
        if (kind === "in_doubt" || kind === "duplicate") connection.discard();
        return confirmed;
      } finally {
        connection.release();
      }
    },

    status: (currency, transactionCode) => ask("payout", currency, transactionCode),
    depositStatus: (currency, transactionCode) => ask("deposit", currency, transactionCode),

    async probe() {
      const result = await exchanger.knock();
      if (result.kind === "failure") {
        const detail = `no answer (${result.failure.code})`;
        return { reachable: false, detail, clockOffsetMs: null };
      }
      const { status, dateOffsetMs } = result.answer;
      return { reachable: true, detail: `HTTP ${status}`, clockOffsetMs: dateOffsetMs };
    },

    ...depositsOver(exchanger, options),

    close: () => transport.close(),
  };
}

function statusOf(
  result: Exchange,
  transactionCode: string,
  merchant: Merchant,
  kind: "payout" | "deposit",
): StatusReply {
  if (result.kind === "failure") return unanswered(result);
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
