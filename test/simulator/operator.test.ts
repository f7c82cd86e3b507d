import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GatewayClient } from "#gateway/client.ts";
import { clientTo, submit } from "../gateway/clients.ts";
import { orderOf } from "../gateway/fixtures.ts";
import { startSimulator } from "../support/servers/simulator.ts";
import { ask, merchantCode, openDepositSide, orderFor } from "./deposit-side.ts";

let side: Awaited<ReturnType<typeof openDepositSide>>;
beforeAll(async () => {
  side = await openDepositSide();
});
afterAll(() => side.stop());
beforeEach(() => {
  side.hints.length = 0;
});

describe("the operator", () => {
  test.each([
    ["in full", "500.00", "completed 500.00"],
    ["in part", "120.50", "completed 120.50"],
  ])(
    "pays %s: status, log, balance and both callback URLes show it (SPEC-V01, SPEC-V02, SPEC-V03)",
    async (_how, amount, state) => {
      const order = orderFor("INR", { callbackUrl: `${side.told}/own` });
      await ask(order, side.client);
      const before = await side.client.balance("INR");
      expect(await side.stateOf("INR", order.transactionCode)).toBe("pending 500.00");
      expect((await side.operate("INR", order.transactionCode, "pay", amount)).status).toBe(303);
      await expect.poll(() => side.hints.length).toBe(2);
      expect(side.hints.map(({ path }) => path).sort()).toEqual(["/office", "/own"]);
      expect(side.hints.map(({ hint }) => hint)).toEqual(
        side.hints.map(() =>
          expect.objectContaining({
            kind: "deposit",
            state: "completed",
            amount: "500.00",
            actualAmount: amount,
          }),
        ),
      );
      expect(await side.stateOf("INR", order.transactionCode)).toBe(state);
      const after = await side.client.balance("INR");
      expect(thousandths(after) - thousandths(before)).toBe(BigInt(amount.replace(".", "")) * 10n);
      expect((await side.simulator.log()).at(-1)).toMatchObject({ event: "deposit_paid", amount });
      expect((await side.operate("INR", order.transactionCode, "pay", amount)).status).toBe(409);
    },
  );

  test("pays late: an unpaid deposit has failed, and is then paid", async () => {
    const quick = await startSimulator({ expireMs: 150, zone: "GMT 05:30" });
    const other = clientTo(quick.url);
    const order = orderFor("INR");
    const outcome = await ask(order, other);
    expect(outcome).toMatchObject({ expiry: { timezone: "GMT 05:30" } });
    const atMs = outcome.kind === "accepted" ? outcome.expiry?.atMs : null;
    expect(Math.abs((atMs ?? 0) - Date.now())).toBeLessThan(5_000);
    const state = async () => {
      const { answer } = await other.depositStatus("INR", order.transactionCode);
      return answer.kind === "found" ? answer.record.state : answer.kind;
    };
    await expect.poll(state).toBe("failed");
    await fetch(`${quick.url}/operator`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({
        merchant: merchantCode("INR"),
        code: order.transactionCode,
        action: "pay",
        amount: "500.00",
      }),
    });
    expect(await state()).toBe("completed");

    // KRW: the second step after the deadline (SPEC-S02).
    const krw = orderFor("KRW");
    expect((await ask(krw, other)).kind).toBe("awaiting_bank");
    await expect
      .poll(async () => {
        const { answer } = await other.depositStatus("KRW", krw.transactionCode);
        return answer.kind === "found" && answer.record.state;
      })
      .toBe("failed");
    const page = await (await fetch(`${quick.url}/operator`)).text();
    const [, link = ""] = /<a href="(\/statement-balances[^"]+)"/.exec(page) ?? [];
    const balances = await fetch(`${quick.url}${link.replaceAll("&amp;", "&")}`);
    expect(await balances.json()).toMatchObject({ opening: expect.any(String) });
    expect(page).toContain("Send callback again");
    expect(page).not.toContain(`Pay late ${krw.transactionCode}`);
    const step2 = await other.submitDepositor({
      transactionCode: krw.transactionCode,
      bankCode: "kookmin_kr",
      accountNumber: "1",
    });
    expect(step2).toMatchObject({ outcome: { kind: "duplicate" }, evidence: { code: "113" } });
    expect((await quick.summary()).deposits).toEqual({
      accepted: 2,
      paid: 1,
      failed: 2,
      sums: { INR: "500" },
    });
    other.close();
    await quick.stop();
  });

  test("declines, refers to the provider, and repeats a callback", async () => {
    const order = orderFor("INR");
    await ask(order, side.client);
    const { transactionCode: code } = order;
    expect((await side.operate("INR", code, "resend")).status).toBe(409);
    await side.operate("INR", code, "manual");
    expect(await side.stateOf("INR", code)).toBe("manual 500.00");
    await side.operate("INR", code, "decline");
    expect(await side.stateOf("INR", code)).toBe("failed 500.00");
    await expect.poll(() => side.hints.length).toBe(1);
    await side.operate("INR", code, "resend");
    await expect.poll(() => side.hints.length).toBe(2);
    expect(side.hints.map(({ hint }) => hint?.state)).toEqual(["failed", "failed"]);
  });

  test("settles, returns and declines a payout, with the balance following", async () => {
    const balances = [await side.client.balance("INR")];
    await submit(side.client, orderOf("BY-HAND-1"));
    balances.push(await side.client.balance("INR"));
    await side.operate("INR", "BY-HAND-1", "settle");
    expect((await side.client.status("INR", "BY-HAND-1")).answer).toMatchObject({
      record: { state: "completed" },
    });
    await side.operate("INR", "BY-HAND-1", "return");
    expect((await side.client.status("INR", "BY-HAND-1")).answer).toMatchObject({
      record: { state: "failed" },
    });
    balances.push(await side.client.balance("INR"));
    await submit(side.client, orderOf("BY-HAND-2"));
    await side.operate("INR", "BY-HAND-2", "decline");
    balances.push(await side.client.balance("INR"));
    const [start = 0n, ...others] = balances.map(thousandths);
    expect(others.map((at) => at - start)).toEqual([-100_500n, 0n, 0n]);
    expect((await side.operate("INR", "BY-HAND-2", "return")).status).toBe(409);
    await expect
      .poll(() =>
        side.hints.map(({ hint }) => hint?.state).toSorted((a, b) => `${a}`.localeCompare(`${b}`)),
      )
      .toEqual(["completed", "failed", "failed"]);
  });

  test("uses a page without scripts, only from this machine and its own forms", async () => {
    const order = orderFor("INR", { transactionCode: "PAGE-1" });
    await ask(order, side.client);
    const page = await fetch(`${side.simulator.url}/operator`);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(html).not.toMatch(/<script|javascript:| on\w+=/);
    expect(html).toContain("Simulated gateway: no real money moves here");
    expect(html).toContain('aria-label="Pay PAGE-1"');

    const forms = { origin: "https://elsewhere.example" };
    expect((await side.operate("INR", "PAGE-1", "pay", "1.00", forms)).status).toBe(403);
    expect(
      (await side.operate("INR", "PAGE-1", "pay", "1.00", { origin: side.simulator.url })).status,
    ).toBe(303);
    expect(
      await answerTo(
        "GET /operator HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n",
      ),
    ).toMatch(/^HTTP\/1.1 403/);
    for (const [code, action, amount] of [
      ["NOBODY", "pay", "1"],
      ["PAGE-1", "steal", ""],
    ] as const) {
      expect((await side.operate("INR", code, action, amount)).status).toBe(409);
    }
    const next = orderFor("INR");
    await ask(next, side.client);
    for (const amount of ["", "0", "-1", "1e3", "x"]) {
      expect((await side.operate("INR", next.transactionCode, "pay", amount)).status).toBe(409);
    }
  });
});

/** The exact balance. */
function thousandths({ answer }: Awaited<ReturnType<GatewayClient["balance"]>>): bigint {
  if (answer.kind !== "told") throw new Error(answer.text);
  return BigInt(answer.balance.balance.replace(".", ""));
}

/** Response to bytes that no browser would send. */
function answerTo(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(side.simulator.port, "127.0.0.1", () => socket.write(request));
    socket.on("data", (piece) => (said += piece));
    socket.on("end", () => resolve(said));
    socket.on("error", reject);
  });
}
