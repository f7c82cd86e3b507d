import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DepositOrder } from "#deposit/deposit.ts";
import { DEPOSIT_REFUSAL_TEXTS } from "#simulator/faults/texts.ts";
import { depositFields } from "../contract/requests.ts";
import { post } from "../contract/side.ts";
import { clientTo, submit } from "../gateway/clients.ts";
import { orderOf } from "../gateway/fixtures.ts";
import { startSimulator } from "../support/servers/simulator.ts";
import { ask, openDepositSide, orderFor } from "./deposit-side.ts";

let side: Awaited<ReturnType<typeof openDepositSide>>;
beforeAll(async () => {
  side = await openDepositSide();
});
afterAll(() => side.stop());
beforeEach(() => {
  side.hints.length = 0;
});

describe("the variants", () => {
  test.each([
    ["INR", null, "upi"],
    ["BDT", null, "wallet"],
    ["MMK", null, "match_code"],
    ["VND", null, "bank"],
    ["BRL", "P1001", "upi"],
    ["TRY", "P1002", "wallet"],
    ["INR", "P1003", "match_code"],
    ["JPY", "P1004", "bank"],
    ["VND", "P1005", "bank"],
  ])(
    "answers %s with the method %s with %s (SPEC-R26, SPEC-R27, SPEC-R28, SPEC-R29, SPEC-R30)",
    async (currency, paymentCode, kind) => {
      const money = {
        currency,
        minor: 50000n,
        minorDigits: ["JPY", "VND"].includes(currency) ? 0 : 2,
      };
      const outcome = await ask(orderFor(currency, { money, paymentCode }), side.client);
      expect(outcome).toMatchObject({ kind: "accepted", destination: { kind } });
    },
  );

  test("have their own fields: null types and empty codes as the specification shows them (SPEC-R27, SPEC-R28, SPEC-R29, SPEC-R30)", async () => {
    const fields = async (payment_code: string) => {
      const { body } = await post(
        side.simulator.url,
        "deposit",
        "INR",
        depositFields("INR", { payment_code, bank_code: "B1" }),
      );
      const {
        status: _s,
        message: _m,
        transaction_no: _n,
        transaction_code: _c,
        amount: _a,
        expired_at: _e,
        expired_timezone: _z,
        ...more
      } = body;
      return more;
    };
    const text = expect.stringMatching(/./);
    expect(await fields("P1001")).toEqual({ upi_id: text, qr: expect.stringMatching(/^http/) });
    expect(await fields("P1002")).toEqual({
      wallet_number: text,
      wallet_number_type: text,
      wallet_name: text,
      wallet_code: text,
    });
    expect(await fields("P1003")).toEqual({
      wallet_number: text,
      wallet_name: text,
      wallet_code: text,
      match_code: expect.stringMatching(/^\d+$/),
    });
    expect(await fields("P1004")).toEqual({
      wallet_number: text,
      wallet_number_type: null,
      wallet_name: text,
      wallet_code: "",
    });
  });

  test("serve an image at the QR address only for a UPI payment (SPEC-R27)", async () => {
    const outcome = await ask(orderFor("INR"), side.client);
    const url =
      outcome.kind === "accepted" && outcome.destination.kind === "upi"
        ? outcome.destination.qrUrl
        : null;
    const image = await fetch(url ?? "");
    expect(image.headers.get("content-type")).toBe("image/png");
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    const other = Buffer.from("https://elsewhere.example").toString("base64url");
    expect((await fetch(`${side.simulator.url}/image?url=${other}`)).status).toBe(404);
  });

  test.each<[string, Partial<DepositOrder>, string]>([
    ["INR", { paymentCode: "P9999" }, "110"],
    [
      "VND",
      {
        paymentCode: "P1005",
        details: { user_id: "U", deposit_name: "Kim" },
        money: { currency: "VND", minor: 5n, minorDigits: 0 },
      },
      "110",
    ],
    ["INR", { money: { currency: "INR", minor: 0n, minorDigits: 2 } }, "109"],
  ])(
    "%s: refuses what the method does not accept, in the documented words",
    async (currency, changes, code) => {
      const attempt = await side.client.requestDeposit(orderFor(currency, changes));
      expect(attempt).toMatchObject({
        outcome: { kind: "declined", code },
        evidence: { text: DEPOSIT_REFUSAL_TEXTS[code] },
      });
    },
  );

  test.each([
    ["INR", { currency_code: "THB" }, "114"],
    ["INR", { transaction_amount: "1.005" }, "109"],
    ["JPY", { transaction_amount: "1.5" }, "109"],
    ["INR", { merchant_api_key: "another" }, "115"],
    ["INR", { merchant_code: "SKU0" }, "115"],
  ])("answers %s with %j with %s", async (currency, changes, code) => {
    const { status, body } = await post(
      side.simulator.url,
      "deposit",
      currency,
      depositFields(currency, changes),
    );
    expect([status, body]).toEqual([
      200,
      { status: "error", message: DEPOSIT_REFUSAL_TEXTS[code] },
    ]);
  });

  test("accepts a code once, across deposits and payouts (SPEC-R01)", async () => {
    const order = orderFor("INR");
    expect((await ask(order, side.client)).kind).toBe("accepted");
    expect((await submit(side.client, orderOf(order.transactionCode))).outcome.kind).toBe(
      "duplicate",
    );
    await submit(side.client, orderOf("PAYOUT-1"));
    expect((await ask(orderFor("INR", { transactionCode: "PAYOUT-1" }), side.client)).kind).toBe(
      "duplicate",
    );
  });
});

test("accepts references while the deposit waits", async () => {
  const order = orderFor("INR");
  const reference = {
    currency: "INR",
    transactionCode: order.transactionCode,
    reference: "123456789012",
  };
  expect(await side.client.submitReference(reference)).toMatchObject({ evidence: { code: "113" } });
  await ask(order, side.client);
  expect(await side.client.submitReference(reference)).toMatchObject({
    outcome: { kind: "taken" },
  });
  await side.operate("INR", order.transactionCode, "pay", "500.00");
  expect(await side.client.submitReference(reference)).toMatchObject({ evidence: { code: "113" } });
  const bdt = orderFor("BDT");
  await ask(bdt, side.client);
  const refNo = { currency: "BDT", transactionCode: bdt.transactionCode, reference: "9AB12CD" };
  expect(await side.client.submitReference(refNo)).toMatchObject({ outcome: { kind: "taken" } });
});

describe("faults strike every endpoint", () => {
  const OPERATIONS = ["deposit", "krw_depositor", "reference", "balance"] as const;
  const requests: Record<(typeof OPERATIONS)[number], (code: string) => Promise<unknown>> = {
    deposit: (transactionCode) => ask(orderFor("INR", { transactionCode }), side.client),
    async krw_depositor(transactionCode) {
      await ask(orderFor("KRW", { transactionCode }), side.client);
      return side.client.submitDepositor({
        transactionCode,
        bankCode: "kookmin_kr",
        accountNumber: "1",
      });
    },
    async reference(transactionCode) {
      await ask(orderFor("INR", { transactionCode }), side.client);
      return side.client.submitReference({
        currency: "INR",
        transactionCode,
        reference: "123456789012",
      });
    },
    balance: () => side.client.balance("INR"),
  };

  test.each(OPERATIONS)("%s: before, refused, after", async (operation) => {
    for (const fault of [
      "cut_before",
      "http_500_before",
      "html_before",
      "cut_after",
      "truncated",
      "hang_after",
    ]) {
      await side.simulator.setFaults([{ fault, operation }]);
      const came = JSON.stringify(await requests[operation](`${operation}-${fault}`));
      expect({ fault, came }).toEqual({ fault, came: expect.stringMatching(/in_doubt|no_answer/) });
    }
    await side.simulator.setFaults([{ fault: "code_116", operation }]);
    const came = JSON.stringify(await requests[operation](`${operation}-116`));
    expect(came).toMatch(/maintenance/i);
    await side.simulator.setFaults([]);
  });

  test("supports late deposits and codes of other clients, and refuses a rule that cannot strike", async () => {
    await side.simulator.setFaults([
      { fault: "late_arrival", operation: "deposit", code: "LATE-*", delay_ms: 300 },
      { fault: "other_payee", operation: "deposit", code: "OTHERS-*" },
    ]);
    const asked = async (transactionCode: string) =>
      (await ask(orderFor("INR", { transactionCode }), side.client)).kind;
    expect(await asked("LATE-1")).toBe("in_doubt");
    await expect.poll(() => side.stateOf("INR", "LATE-1")).toBe("pending 500.00");
    expect(await asked("OTHERS-1")).toBe("duplicate");
    expect(await side.stateOf("INR", "OTHERS-1")).toBe("pending 600.00");
    await expect(
      side.simulator.setFaults([{ fault: "burn", operation: "deposit" }]),
    ).rejects.toThrow("does not apply");
    await side.simulator.setFaults([]);
  });

  test("stores a deposit that was cut off afterwards, but not one cut off before", async () => {
    await side.simulator.setFaults([
      { fault: "cut_after", operation: "deposit", code: "AFTER-*" },
      { fault: "cut_before", operation: "deposit", code: "BEFORE-*" },
      { fault: "status_lag", code: "LAG-*", delay_ms: 60_000 },
    ]);
    for (const code of ["AFTER-1", "BEFORE-1", "LAG-1"])
      await ask(orderFor("INR", { transactionCode: code }), side.client);
    expect(await side.stateOf("INR", "AFTER-1")).toBe("pending 500.00");
    expect(await side.stateOf("INR", "BEFORE-1")).toBe("not_found");
    expect(await side.stateOf("INR", "LAG-1")).toBe("not_found");
    const events = async (code: string) =>
      (await side.simulator.log())
        .filter(({ transaction_code }) => transaction_code === code)
        .map(({ event }) => event);
    expect(await events("AFTER-1")).toEqual(["deposit_accepted"]);
    expect(await events("BEFORE-1")).toEqual(["deposit_request"]);
    // A rule without an operation applies to payouts.
    await side.simulator.setFaults([{ fault: "cut_before" }]);
    expect((await ask(orderFor("INR"), side.client)).kind).toBe("accepted");
    await side.simulator.setFaults([{ fault: "callback_name_value" }]);
    const order = orderFor("INR");
    await ask(order, side.client);
    await side.operate("INR", order.transactionCode, "pay", "500.00");
    await expect.poll(() => side.hints.length).toBe(1);
    expect(side.hints[0]?.hint).toMatchObject({ kind: "deposit", actualAmount: "500.00" });
    await side.simulator.setFaults([]);
  });
});

test("keeps states, numbers and payments of deposits through a kill", async () => {
  const first = await startSimulator({ logPath: `${side.simulator.logPath}.kill` });
  const one = clientTo(first.url);
  const [open, krw] = [orderFor("INR"), orderFor("KRW")];
  await ask(open, one);
  await ask(krw, one);
  await one.submitDepositor({
    transactionCode: krw.transactionCode,
    bankCode: "kookmin_kr",
    accountNumber: "1",
  });
  await first.kill();
  one.close();
  const second = await startSimulator({ logPath: `${side.simulator.logPath}.kill` });
  const two = clientTo(second.url);
  for (const { transactionCode: code, money } of [open, krw]) {
    expect((await two.depositStatus(money.currency, code)).answer).toMatchObject({
      record: { state: "pending" },
    });
  }
  expect((await ask(open, two)).kind).toBe("duplicate");
  const again = {
    transactionCode: krw.transactionCode,
    bankCode: "kookmin_kr",
    accountNumber: "1",
  };
  expect(await two.submitDepositor(again)).toMatchObject({ evidence: { code: "113" } });
  two.close();
  await second.stop();
});
