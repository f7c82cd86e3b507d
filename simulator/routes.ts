import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { operatorRoutes } from "#simulator/console/operator.ts";
import { balanceEndpoint } from "#simulator/endpoints/balance.ts";
import { depositEndpoints } from "#simulator/endpoints/deposit.ts";
import { payoutEndpoint } from "#simulator/endpoints/payout.ts";
import { statusEndpoint } from "#simulator/endpoints/status.ts";
import { FAULT_RULES } from "#simulator/faults/fault-rules.ts";
import { answerStatement } from "#simulator/statements/statement-routes.ts";
import { summaryOf } from "#simulator/state/transaction-log.ts";
import { qrImage } from "#simulator/wire/image.ts";
import { checkInput, problemsIn } from "#simulator/wire/input.ts";
import { parseJson } from "#simulator/wire/json.ts";
import { type Answerer, send } from "#simulator/wire/replies.ts";
import type { SimulatedGateway, SimulatorOptions } from "./gateway.ts";

/** Answers a request, once its body is read completely. */
type Router = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const BALANCES = z.record(
  z.string(),
  z.string().regex(/^\d+(\.\d+)?$/, "an amount as text, such as 1000 or 1000.50"),
);

/** Answers every address of the simulator. `url` is its own address, known once it listens. */
export function router(
  gateway: SimulatedGateway,
  options: SimulatorOptions,
  url: () => string,
): Router {
  const endpoints = endpointsOf(gateway, options, url);
  const control = controlOf(gateway, url, options.feePercent);
  return (request, response, body) => {
    for (const [method, path, endpoint] of endpoints) {
      const code = method === request.method ? path.exec(request.url ?? "")?.[1] : undefined;
      if (code !== undefined) return endpoint(request, response, code, body);
    }
    control(request, response, body);
  };
}

type Endpoint = readonly [method: string, path: RegExp, answer: Answerer];

/** The gateway's own addresses: a merchant code and its handler. */
function endpointsOf(
  gateway: SimulatedGateway,
  { refusals, parsing, unknownCodeShape, zone }: SimulatorOptions,
  url: () => string,
): readonly Endpoint[] {
  const { deposits, payouts, traffic } = gateway;
  const isPayout = (merchant: string, code: string) => payouts.find(merchant, code) !== null;
  const isDeposit = (merchant: string, code: string) => deposits.find(merchant, code) !== null;
  const isUsed = (merchant: string, code: string) =>
    isPayout(merchant, code) || isDeposit(merchant, code);

  const common = { ...gateway, refusals, reading: parsing };
  const payout = payoutEndpoint({ ...common, isDeposit });
  const status = statusEndpoint({ ...common, unknown: unknownCodeShape });
  const deposit = depositEndpoints({ ...common, isUsed, zone, url });
  const countedStatus: Answerer = (...asked) => {
    traffic.countStatusQuery();
    status(...asked);
  };
  return [
    ["POST", /^\/api\/v1\/payout\/([^/?]+)$/, payout],
    ["POST", /^\/api\/v1\/([^/?]+)\/transactions\/status$/, countedStatus],
    ["GET", /^\/api\/v1\/balance\/([^/?]+)\?/, balanceEndpoint(common)],
    ["POST", /^\/api\/([^/?]+)\/v3\/(?:dopayment|krw-payment)$/, deposit.deposit],
    ["POST", /^\/api\/([^/?]+)\/v3\/krw-submit-information$/, deposit.krwDepositor],
    ["POST", /^\/api\/([^/?]+)\/v3\/submit-utr$/, deposit.utr],
    ["POST", /^\/api\/([^/?]+)\/v3\/submit-refno$/, deposit.refNo],
  ];
}

/**
 * Addresses that the real gateway does not have: the operator page, statements, the log, faults,
 * balances.
 */
function controlOf(gateway: SimulatedGateway, url: () => string, feePercent: string): Router {
  const { accounts, faults } = gateway;
  const operator = operatorRoutes(gateway);
  return (request, response, body) => {
    const { method, url: path = "" } = request;
    if (path === "/operator" && (method === "GET" || method === "POST")) {
      return operator(request, response, body);
    }
    // payrun recognises the simulator by this answer (src/app/simulator-watch.ts).
    if (method === "GET" && path === "/simulator") {
      return send(response, { status: 200, body: '{"simulator":"payrun"}' });
    }
    if (method === "GET" && path.startsWith("/image?")) {
      return void qrImage(response, new URL(path, url()).searchParams);
    }
    if (method === "GET" && path.startsWith("/transaction-log")) {
      return showBook(gateway, response, path.endsWith("?summary"));
    }
    if (method === "GET" && path.startsWith("/statement")) {
      const answer = answerStatement(new URL(path, url()), {
        lines: () => gateway.log.lines(),
        feePercent,
      });
      if (answer) return send(response, answer, answer.type);
    }
    if (method === "PUT" && path === "/faults") {
      const rules = checkInput(FAULT_RULES, parseJson(body));
      return change(response, rules, (checked) => faults.replace(checked));
    }
    if (method === "PUT" && path === "/balance") {
      const limits = checkInput(BALANCES, parseJson(body));
      return change(response, limits, (checked) => accounts.set(checked));
    }
    send(response, { status: 404, body: '{"message":"Not Found"}' });
  };
}

function showBook(
  { log, callbacks }: SimulatedGateway,
  response: ServerResponse,
  isSummary: boolean,
): void {
  const lines = log.lines();
  if (isSummary) {
    const summary = { ...summaryOf(lines), callbacks: callbacks.counts() };
    return send(response, { status: 200, body: JSON.stringify(summary) });
  }
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  send(response, { status: 200, body }, "application/jsonl");
}

function change<T>(
  response: ServerResponse,
  parsed: z.ZodSafeParseResult<T>,
  apply: (value: T) => void,
): void {
  if (!parsed.success) {
    const message = problemsIn(parsed.error);
    return send(response, { status: 400, body: JSON.stringify({ message }) });
  }
  apply(parsed.data);
  send(response, { status: 200, body: "{}" });
}
