import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "#base/clock.ts";
import type { Callbacks } from "#simulator/state/callbacks.ts";
import type { Deposits, KnownDeposit } from "#simulator/state/deposits.ts";
import { operatorPage, STYLE } from "./operator-page.ts";
import type { KnownPayout, Payouts } from "#simulator/state/payouts.ts";
import { send } from "#simulator/wire/replies.ts";

interface OperatorOptions {
  readonly deposits: Deposits;
  readonly payouts: Payouts;
  readonly callbacks: Callbacks;
}

const AMOUNT = /^\d{1,15}(?:\.\d{1,8})?$/;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const HEADERS = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/**
 * The operator page of the provider's back office: pays deposits, ends payouts, repeats callbacks.
 * Plain forms for people on this machine only: neither a browser on another host nor a page of
 * another site may move its money.
 */
export function operatorRoutes({ deposits, payouts, callbacks }: OperatorOptions) {
  function act(form: URLSearchParams): string | null {
    const merchant = form.get("merchant") ?? "";
    const code = form.get("code") ?? "";
    const action = form.get("action") ?? "";
    const deposit = deposits.find(merchant, code);
    if (deposit) return onDeposit(deposit, action, form.get("amount") ?? "");
    const payout = payouts.find(merchant, code);
    return payout ? onPayout(payout, action) : "unknown transaction";
  }

  function onDeposit(deposit: KnownDeposit, action: string, amount: string): string | null {
    if (action === "resend") return resend(deposit);
    if (deposit.state === "settled") return "is already paid";
    switch (action) {
      case "pay":
        if (!deposit.hasDestination) return "has no destination yet: step 2 is missing";
        if (!AMOUNT.test(amount) || !/[1-9]/.test(amount)) return "needs an amount such as 100.50";
        deposits.pay(deposit, amount);
        return null;
      case "decline":
        deposits.fail(deposit);
        return null;
      case "manual":
        deposits.hold(deposit);
        return null;
      default:
        return "unknown action";
    }
  }

  function onPayout(payout: KnownPayout, action: string): string | null {
    if (action === "resend") return resend(payout);
    const isPending = payout.state === "pending";
    if (action === "settle" && isPending) payouts.finish(payout, "settled");
    else if (action === "decline" && isPending) payouts.finish(payout, "failed");
    else if (action === "return" && payout.state === "settled") payouts.finish(payout, "returned");
    else return "not possible in this state";
    return null;
  }

  function resend(known: KnownDeposit | KnownPayout): string | null {
    if (known.state === "pending" || known.state === "awaiting_bank") return "is not final yet";
    callbacks.send(known);
    return null;
  }

  return (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { host = "", origin } = request.headers;
    const isHere = LOOPBACK.test(request.socket.remoteAddress ?? "") && LOOPBACK_HOST.test(host);
    const isForeign = origin !== undefined && origin !== `http://${host}`;
    if (!isHere || isForeign) {
      return send(
        response,
        { status: 403, body: "Available only from this machine\n" },
        "text/plain",
      );
    }
    if (request.method === "POST") {
      const problem = act(new URLSearchParams(body));
      if (problem !== null) {
        return send(response, { status: 409, body: `${problem}\n` }, "text/plain");
      }
      const headers = { ...HEADERS, location: "/operator" };
      return send(response, { status: 303, body: "" }, "text/plain", headers);
    }
    const page = operatorPage(deposits.all(), payouts.all(), systemClock.nowMs());
    send(response, { status: 200, body: page }, "text/html; charset=utf-8", HEADERS);
  };
}
