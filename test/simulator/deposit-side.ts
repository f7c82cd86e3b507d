import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DepositOrder } from "#deposit/deposit.ts";
import { type CallbackHint, openCallback } from "#gateway/callback.ts";
import { newCode } from "../contract/side.ts";
import { clientTo } from "../gateway/clients.ts";
import { keyring } from "../gateway/fixtures.ts";
import { startSimulator } from "../support/servers/simulator.ts";

export const merchantCode = (currency: string): string =>
  keyring.forCurrency(currency)?.merchantCode ?? "";

export const orderFor = (currency: string, changes: Partial<DepositOrder> = {}): DepositOrder => ({
  transactionCode: newCode(),
  money: { currency, minor: 50000n, minorDigits: currency === "KRW" ? 0 : 2 },
  details: {
    user_id: "customer-7",
    deposit_name: "Kim",
    phone: "01812345678",
    identity_id: "1",
    bank_code: "B1",
  },
  paymentCode: null,
  callbackUrl: null,
  ...changes,
});

export async function ask(order: DepositOrder, by: ReturnType<typeof clientTo>) {
  const attempt = await by.requestDeposit(order);
  if (attempt.kind === "not_encodable") throw new Error(attempt.text);
  return attempt.outcome;
}

/** A simulator whose payouts wait for the operator, with a listening back office. */
export async function openDepositSide() {
  const hints: { path: string; hint: CallbackHint | null }[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      hints.push({ path: request.url ?? "", hint: openCallback(JSON.parse(body), keyring) });
      response.end("success");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const told = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const simulator = await startSimulator({ settleMs: 3_600_000, callbackUrl: `${told}/office` });
  const client = clientTo(simulator.url, { timeoutMs: 700 });

  return {
    hints,
    told,
    simulator,
    client,
    /** Submits one form of the operator page. */
    operate: (currency: string, code: string, action: string, amount?: string, headers = {}) =>
      fetch(`${simulator.url}/operator`, {
        method: "POST",
        redirect: "manual",
        headers,
        body: new URLSearchParams({
          merchant: merchantCode(currency),
          code,
          action,
          ...(amount ? { amount } : {}),
        }),
      }),
    stateOf: async (currency: string, code: string) => {
      const { answer } = await client.depositStatus(currency, code);
      return answer.kind === "found"
        ? `${answer.record.state} ${answer.record.amount}`
        : answer.kind;
    },
    async stop() {
      client.close();
      await simulator.stop();
      receiver.close();
    },
  };
}
