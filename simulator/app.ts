import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { systemClock } from "#base/clock.ts";
import type { MerchantEntry } from "#gateway/wire/messages.ts";
import { Accounts } from "#simulator/state/accounts.ts";
import { balanceEndpoint } from "#simulator/endpoints/balance.ts";
import { openBook, summaryOf } from "#simulator/state/transaction-log.ts";
import { createCallbacks } from "#simulator/state/callbacks.ts";
import { depositEndpoints } from "#simulator/endpoints/deposit.ts";
import { Deposits } from "#simulator/state/deposits.ts";
import type { Reading } from "#simulator/wire/envelope.ts";
import { FAULT_RULES, type FaultRule, faultChooser } from "#simulator/faults/fault-rules.ts";
import { qrImage } from "#simulator/wire/image.ts";
import { parseJson } from "#simulator/wire/json.ts";
import { merchantsByCode } from "#simulator/wire/merchants.ts";
import { numbers } from "./numbers.ts";
import { operatorDesk } from "#simulator/console/operator.ts";
import { payoutEndpoint } from "#simulator/endpoints/payout.ts";
import { Payouts } from "#simulator/state/payouts.ts";
import { type Answerer, send } from "#simulator/wire/replies.ts";
import { statusEndpoint, type UnknownShape } from "#simulator/endpoints/status.ts";
import { countTraffic } from "#simulator/state/traffic.ts";
import type { RefusalStyle } from "#simulator/faults/texts.ts";
import type { ZoneLabel } from "#simulator/state/time-zone.ts";

export interface SimulatorOptions {
  readonly host: string;
  /** port to listen on; 0 chooses a free port. */
  readonly port: number;
  readonly merchants: readonly MerchantEntry[];
  readonly faults: readonly FaultRule[];
  readonly seed: number;
  readonly bookPath: string;
  readonly settleMs: number;
  readonly declines: number;
  /** Decimal amounts by currency. A currency that is not listed has no limit. */
  readonly balances: Readonly<Record<string, string>>;
  readonly refusals: RefusalStyle;
  readonly unknown: UnknownShape;
  readonly reading: Reading;
  /** How long a deposit waits for its payer. */
  readonly expireMs: number;
  /** Time zone of expiry times. */
  readonly zone: ZoneLabel;
  readonly backOfficeUrl: string | null;
}

export interface Simulator {
  readonly url: string;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024;
const BALANCES = z.record(z.string(), z.string().regex(/^\d+(\.\d+)?$/));

/**
 * Starts the gateway's side of the interface. It keeps its own transaction log and does not know
 * payrun.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const nowMs = () => systemClock.nowMs();
  const byCode = merchantsByCode(options.merchants);
  const merchantOf = (code: string) => byCode.get(code) ?? null;
  const faults = faultChooser(options.seed, options.faults);
  const accounts = new Accounts(options.balances);
  const traffic = countTraffic();
  const book = openBook(options.bookPath, nowMs, () => traffic.take());
  const { seed, settleMs, declines, refusals, unknown, reading, expireMs, zone } = options;
  const callbacks = createCallbacks({ faults, merchantOf, backOfficeUrl: options.backOfficeUrl });
  const payouts = new Payouts({
    book,
    seed,
    settleMs,
    declines,
    nowMs,
    nextNumber: numbers("WD", 1000n, nowMs),
    onFinal(payout) {
      if (payout.state !== "settled") accounts.give(payout.currency, payout.amount);
      callbacks.announce(payout);
    },
  });
  const deposits = new Deposits({
    book,
    expireMs,
    nowMs,
    nextNumber: numbers("DP", 1n, nowMs),
    onFinal(deposit) {
      if (deposit.paidAmount !== null) accounts.give(deposit.currency, deposit.paidAmount);
      callbacks.announce(deposit);
    },
  });
  const isPayout = (merchant: string, code: string) => payouts.find(merchant, code) !== null;
  const isDeposit = (merchant: string, code: string) => deposits.find(merchant, code) !== null;
  const common = { book, faults, merchantOf, refusals, reading, nowMs };
  const payout = payoutEndpoint({ ...common, payouts, accounts, isDeposit });
  const status = statusEndpoint({ ...common, payouts, deposits, unknown });
  const deposit = depositEndpoints({
    ...common,
    deposits,
    isUsed: (merchant, code) => isPayout(merchant, code) || isDeposit(merchant, code),
    zone,
    url: () => url,
  });
  const balance = balanceEndpoint({ ...common, accounts });
  const operator = operatorDesk({ deposits, payouts, callbacks });

  /** The gateway's own addresses: a merchant code and its handler. */
  const endpoints: readonly (readonly [method: string, path: RegExp, answer: Answerer])[] = [
    ["POST", /^\/api\/v1\/payout\/([^/?]+)$/, payout],
    [
      "POST",
      /^\/api\/v1\/([^/?]+)\/transactions\/status$/,
      (...asked) => {
        traffic.question();
        status(...asked);
      },
    ],
    ["GET", /^\/api\/v1\/balance\/([^/?]+)\?/, balance],
    ["POST", /^\/api\/([^/?]+)\/v3\/(?:dopayment|krw-payment)$/, deposit.deposit],
    ["POST", /^\/api\/([^/?]+)\/v3\/krw-submit-information$/, deposit.krwDepositor],
    ["POST", /^\/api\/([^/?]+)\/v3\/submit-utr$/, deposit.utr],
    ["POST", /^\/api\/([^/?]+)\/v3\/submit-refno$/, deposit.refNo],
  ];

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { method, url: path = "" } = request;
    for (const [only, pattern, endpoint] of endpoints) {
      const code = only === method ? pattern.exec(path)?.[1] : undefined;
      if (code !== undefined) return endpoint(request, response, code, body);
    }
    if (path === "/operator" && (method === "GET" || method === "POST")) {
      return operator(request, response, body);
    }
    if (method === "GET" && path.startsWith("/image?")) {
      return void qrImage(response, new URL(path, url).searchParams);
    }
    if (method === "GET" && path.startsWith("/transaction-log")) {
      return showBook(response, path.endsWith("?summary"));
    }
    if (method === "PUT" && path === "/faults") {
      return change(response, FAULT_RULES.safeParse(parseJson(body)), (rules) =>
        faults.replace(rules),
      );
    }
    if (method === "PUT" && path === "/balance") {
      return change(response, BALANCES.safeParse(parseJson(body)), (limits) =>
        accounts.set(limits),
      );
    }
    send(response, { status: 404, body: '{"message":"Not Found"}' });
  }

  function showBook(response: ServerResponse, isSummary: boolean): void {
    const lines = book.lines();
    if (isSummary) {
      const summary = { ...summaryOf(lines), callbacks: callbacks.counts() };
      return send(response, { status: 200, body: JSON.stringify(summary) });
    }
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    send(response, { status: 200, body }, "application/jsonl");
  }

  const server = createServer((request, response) => {
    traffic.begin(response);
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
      if (body.length > BODY_BYTES_MAX) request.destroy();
    });
    request.on("end", () => answer(request, response, body));
  });
  // Longer than any pause between two sweeps, so the server does not close a client's idle
  // connection.
  server.keepAliveTimeout = 60_000;

  const end = () => {
    payouts.stop();
    deposits.stop();
    callbacks.stop();
    traffic.stop();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port, options.host, resolve);
    });
  } catch (error) {
    end();
    book.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}`;
  return {
    url,
    async stop() {
      end();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      book.close();
    },
  };
}

function change<T>(
  response: ServerResponse,
  parsed: z.ZodSafeParseResult<T>,
  apply: (value: T) => void,
): void {
  if (!parsed.success) {
    const message = z.prettifyError(parsed.error);
    return send(response, { status: 400, body: JSON.stringify({ message }) });
  }
  apply(parsed.data);
  send(response, { status: 200, body: "{}" });
}
