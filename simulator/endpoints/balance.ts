import type { IncomingMessage, ServerResponse } from "node:http";
import { BALANCE_REQUEST } from "#gateway/deposit-messages.ts";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import type { Accounts } from "#simulator/state/accounts.ts";
import { openRequest, type Parsing } from "#simulator/wire/envelope.ts";
import type { FaultChooser } from "#simulator/faults/fault-rules.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import { send, sendFaulty } from "#simulator/wire/replies.ts";
import { depositRefusalBody } from "#simulator/faults/texts.ts";

interface BalanceEndpointOptions {
  readonly accounts: Accounts;
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  readonly reading: Parsing;
}

/** GET /api/v1/balance/{merchant}?key=… (docs/reference/gateway.md section 10). */
export function balanceEndpoint({
  accounts,
  faults,
  merchantOf,
  reading: parsing,
}: BalanceEndpointOptions) {
  let questions = 0;
  return (request: IncomingMessage, response: ServerResponse, code: string): void => {
    const query = new URL(request.url ?? "", "http://localhost").searchParams;
    const merchant = merchantOf(code);
    const opened = openRequest(
      query.get("key"),
      merchant,
      ENDPOINTS.balance,
      BALANCE_REQUEST,
      parsing,
    );
    const refuse = (error: string) =>
      send(response, { status: 200, body: depositRefusalBody(error, "200") });
    if (!merchant || !opened.ok) return refuse(opened.ok ? "115" : opened.error);
    if (opened.value.merchant_code !== code) return refuse("115");

    const [currency = ""] = merchant.currencies;
    const shown = accounts.shown(currency);
    const proper = {
      status: 200,
      body: JSON.stringify({
        currency_name: currency,
        currency_code: currency,
        balance: shown,
        frozen_balance: "0.000",
        available_balance: shown,
      }),
    };
    questions += 1;
    const target = { code: "", amount: "", currency, name: "", attempt: questions };
    const strike = faults.strike(["before", "refuse", "after"], target, "balance");
    if (strike?.fault.at === "refuse") return refuse(strike.fault.code);
    if (strike && "reply" in strike.fault) {
      return sendFaulty(request, response, strike.fault.reply, proper, strike.delayMs);
    }
    send(response, proper);
  };
}
