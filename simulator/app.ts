import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { systemClock } from "#clock.ts";
import type { MerchantEntry } from "#gateway/messages.ts";
import type { Escaping } from "#gateway/operations.ts";
import { openBook, scaled, summaryOf } from "./book.ts";
import { createCallbacks } from "./callbacks.ts";
import { FAULT_RULES, type FaultRule, faultChooser } from "./fault-rules.ts";
import { parseJson } from "./json.ts";
import { merchantsByCode } from "./merchants.ts";
import { payoutEndpoint } from "./payout-endpoint.ts";
import { Payouts } from "./payouts.ts";
import { send } from "./replies.ts";
import { statusEndpoint, type UnknownShape } from "./status-endpoint.ts";
import { countTraffic } from "./traffic.ts";
import type { RefusalStyle } from "./texts.ts";

export interface SimulatorOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly merchants: readonly MerchantEntry[];
  readonly faults: readonly FaultRule[];
  readonly seed: number;
  readonly bookPath: string;
  readonly settleMs: number;
  readonly declines: number;
  /** Decimal amounts by currency; a currency that is not named has no end. */
  readonly balances: Readonly<Record<string, string>>;
  readonly refusals: RefusalStyle;
  readonly unknown: UnknownShape;
  readonly escaping: Escaping;
}

export interface Simulator {
  readonly url: string;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024;
const PAYOUT_PATH = /^\/api\/v1\/payout\/([^/?]+)$/;
const STATUS_PATH = /^\/api\/v1\/([^/?]+)\/transactions\/status$/;
const BALANCES = z.record(z.string(), z.string().regex(/^\d+(\.\d+)?$/));

/** Starts the gateway's side of the interface. It keeps its own book and knows nothing of payrun. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const nowMs = () => systemClock.nowMs();
  const byCode = merchantsByCode(options.merchants);
  const merchantOf = (code: string) => byCode.get(code) ?? null;
  const faults = faultChooser(options.seed, options.faults);
  const balances = new Map<string, bigint>();
  const setBalances = (amounts: Readonly<Record<string, string>>) => {
    for (const [currency, amount] of Object.entries(amounts))
      balances.set(currency, scaled(amount));
  };
  setBalances(options.balances);

  const traffic = countTraffic();
  const book = openBook(options.bookPath, nowMs, () => traffic.take());
  const callbacks = createCallbacks({ faults, merchantOf });
  const { seed, settleMs, declines, refusals, unknown, escaping } = options;
  const payouts = new Payouts({
    book,
    seed,
    settleMs,
    declines,
    nowMs,
    onFinal: (payout) => callbacks.announce(payout),
  });
  const payout = payoutEndpoint({
    book,
    payouts,
    faults,
    merchantOf,
    balances,
    refusals,
    escaping,
    nowMs,
  });
  const status = statusEndpoint({ payouts, faults, merchantOf, unknown, escaping, nowMs });

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { method, url = "" } = request;
    if (method === "POST") {
      const paid = PAYOUT_PATH.exec(url)?.[1];
      if (paid !== undefined) return payout(request, response, paid, body);
      const asked = STATUS_PATH.exec(url)?.[1];
      if (asked !== undefined) {
        traffic.question();
        return status(request, response, asked, body);
      }
    }
    if (method === "GET" && url.startsWith("/book"))
      return showBook(response, url.endsWith("?summary"));
    if (method === "PUT" && url === "/faults") {
      return change(response, FAULT_RULES.safeParse(parseJson(body)), (rules) =>
        faults.replace(rules),
      );
    }
    if (method === "PUT" && url === "/balance") {
      return change(response, BALANCES.safeParse(parseJson(body)), setBalances);
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
  // Longer than any pause between two sweeps, so that a client's idle connection is not closed under it.
  server.keepAliveTimeout = 60_000;

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async stop() {
      payouts.stop();
      callbacks.stop();
      traffic.stop();
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
