import { describe, expect, test } from "vitest";
import type { DepositOrder } from "#deposit/deposit.ts";
import type { Failure } from "#gateway/wire/connection-failures.ts";
import { makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";
import type { Reply } from "#gateway/wire/transport.ts";
import { transportOf } from "../support/servers/transport.ts";
import { clientTo } from "./clients.ts";

const merchant = (currency: string) =>
  merchantOf({
    currencies: [currency],
    merchant_code: `SKU-${currency}`,
    api_key: `key-${currency}`,
    api_secret: `secret-of-${currency}`,
    payout_code: "W1",
    payment_code: "P1",
  });
const keyring = makeKeyring(["INR", "KRW", "BDT"].map(merchant));

interface Sent {
  readonly url: string;
  readonly type: string;
  readonly plaintext: string;
}

/** A client whose transport answers as set and keeps what was sent. */
function over(reply: Partial<Reply> | Failure, options: Parameters<typeof clientTo>[1] = {}) {
  const sent: Sent[] = [];
  const answer = "proof" in reply ? reply : { status: 200, body: "", headers: {}, ...reply };
  const note = (url: string, type: string, body: string) => {
    const key =
      type === "application/json" ? JSON.parse(body).key : new URLSearchParams(body).get("key");
    const [by] = keyring.all.filter(({ merchantCode }) => url.includes(merchantCode));
    if (!by) throw new Error(`no merchant in ${url}`);
    const opened = keyring.cipherOf(by).open(key);
    sent.push({ url, type, plaintext: opened.ok ? opened.value : "" });
    return Promise.resolve(answer);
  };
  const transport = transportOf({
    post: (url, type, body) => note(url, type, body),
    get: (url) => note(url.split("?")[0] ?? "", "query", url.split("?")[1] ?? ""),
  });
  return {
    client: clientTo("http://gateway.example/base/", { keyring, ...options }, transport),
    sent,
  };
}

const orderOf = (currency: string): DepositOrder => ({
  transactionCode: "SHOP-1",
  money: { currency, minor: 100000n, minorDigits: currency === "KRW" ? 0 : 2 },
  details: { user_id: "U1", deposit_name: "Kim", phone: "01812345678" },
  paymentCode: null,
  callbackUrl: null,
});
const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });
const ACCEPTED = json({
  status: "success",
  message: "Submit Transaction Success!",
  transaction_no: "DP1",
  transaction_code: "SHOP-1",
  amount: "1000.00",
  upi_id: "shop@upi",
});

describe("destination of requests", () => {
  test("sends a deposit to the merchant of its currency, encrypted, with the current timestamp", async () => {
    const { client, sent } = over(ACCEPTED);
    const before = Math.floor(Date.now() / 1000);
    const attempt = await client.requestDeposit(orderOf("INR"));
    expect(attempt).toMatchObject({ outcome: { kind: "accepted" }, evidence: { httpStatus: 200 } });
    expect(sent).toMatchObject([
      { url: "http://gateway.example/base/api/SKU-INR/v3/dopayment", type: "application/json" },
    ]);
    const stamp = Number(/timestamp=(\d+)/.exec(sent[0]?.plaintext ?? "")?.[1]);
    expect(stamp).toBeGreaterThanOrEqual(before);
    expect(stamp).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test.each([
    ["KRW", undefined, "/api/SKU-KRW/v3/dopayment"],
    ["KRW", "dopayment", "/api/SKU-KRW/v3/dopayment"],
    ["KRW", "krw-payment", "/api/SKU-KRW/v3/krw-payment"],
    ["INR", "krw-payment", "/api/SKU-INR/v3/dopayment"],
  ] as const)("sends %s with the KRW path %s to %s", async (currency, krwPath, path) => {
    const { client, sent } = over(ACCEPTED, krwPath ? { krwPath } : {});
    await client.requestDeposit(orderOf(currency));
    expect(sent.map(({ url }) => url)).toEqual([`http://gateway.example/base${path}`]);
  });

  test("sends the payer's account, references and the balance query", async () => {
    const { client, sent } = over(json({ status: "success" }));
    const code = { transactionCode: "SHOP-1" };
    await client.submitDepositor({ ...code, bankCode: "B", accountNumber: "1" });
    await client.submitReference({ ...code, currency: "INR", reference: "123456789012" });
    await client.submitReference({ ...code, currency: "BDT", reference: "9AB12CD" });
    await client.balance("INR");
    await client.depositStatus("INR", "SHOP-1");
    expect(sent.map(({ url, type, plaintext }) => [url.slice(27), type, plaintext])).toEqual([
      [
        "/api/SKU-KRW/v3/krw-submit-information",
        "application/json",
        "transaction_code=SHOP-1&bank_code=B&account_number=1",
      ],
      [
        "/api/SKU-INR/v3/submit-utr",
        "application/json",
        "transaction_code=SHOP-1&utr=123456789012",
      ],
      [
        "/api/SKU-BDT/v3/submit-refno",
        "application/json",
        "transaction_code=SHOP-1&ref_no=9AB12CD",
      ],
      ["/api/v1/balance/SKU-INR", "query", "merchant_code=SKU-INR"],
      [
        "/api/v1/SKU-INR/transactions/status",
        "application/x-www-form-urlencoded",
        "merchant_api_key=key-INR&transaction_code=SHOP-1",
      ],
    ]);
  });
});

describe("does not send a request", () => {
  test("without a merchant for the currency", async () => {
    const { client, sent } = over(ACCEPTED, { keyring: makeKeyring([merchant("BDT")]) });
    const text = (currency: string) => `no merchant is configured for ${currency}`;
    const stopped = (currency: string) => ({
      kind: "attempted",
      outcome: {
        kind: "deferred",
        code: "no_merchant",
        text: text(currency),
        stop: { until: "person", reason: text(currency) },
      },
      evidence: {
        httpStatus: null,
        code: "no_merchant",
        text: text(currency),
        elapsedMs: 0,
        dateOffsetMs: null,
      },
    });
    const code = { transactionCode: "SHOP-1" };
    expect(await client.requestDeposit(orderOf("INR"))).toEqual(stopped("INR"));
    expect(await client.submitDepositor({ ...code, bankCode: "B", accountNumber: "1" })).toEqual(
      stopped("KRW"),
    );
    expect(
      await client.submitReference({ ...code, currency: "INR", reference: "123456789012" }),
    ).toEqual(stopped("INR"));
    expect(await client.balance("INR")).toMatchObject({
      answer: { code: "no_merchant", text: text("INR") },
    });
    expect(await client.depositStatus("INR", "A")).toMatchObject({
      answer: { code: "no_merchant" },
    });
    expect(sent).toEqual([]);
  });

  test("with characters that the layout does not support", async () => {
    const { client, sent } = over(ACCEPTED);
    const code = { transactionCode: "A&B" };
    const attempts = [
      await client.requestDeposit({ ...orderOf("INR"), ...code }),
      await client.submitDepositor({ ...code, bankCode: "B", accountNumber: "1" }),
      await client.submitReference({ ...code, currency: "INR", reference: "123456789012" }),
    ];
    for (const attempt of attempts) {
      expect(attempt).toEqual({
        kind: "not_encodable",
        text: "transaction_code contains &, =, %, + or a line break, which the name=value format does not support",
      });
    }
    expect(sent).toEqual([]);
  });
});

describe("doubt works as for payouts (F34, F35)", () => {
  const requests = (client: ReturnType<typeof over>["client"]) => {
    const code = { transactionCode: "SHOP-1" };
    return Promise.all([
      client.requestDeposit(orderOf("INR")),
      client.submitDepositor({ ...code, bankCode: "B", accountNumber: "1" }),
      client.submitReference({ ...code, currency: "INR", reference: "123456789012" }),
    ]);
  };

  test("treats silence as a possible deposit, but not a refused connection", async () => {
    for (const attempt of await requests(over({ code: "ECONNRESET", proof: "none" }).client)) {
      expect(attempt).toMatchObject({
        outcome: { kind: "in_doubt", code: "no_answer", text: "no response (ECONNRESET)" },
        evidence: { httpStatus: null, code: "ECONNRESET" },
      });
    }
    for (const attempt of await requests(
      over({ code: "ECONNREFUSED", proof: "not_sent" }).client,
    )) {
      expect(attempt).toMatchObject({ outcome: { kind: "deferred", code: "not_sent" } });
    }
  });

  test("stores the gateway's words without keys and accounts", async () => {
    const reply = json({ message: "secret-of-INR does not open 123456789012" }, 500);
    const attempt = await over(reply).client.requestDeposit(orderOf("INR"));
    expect(attempt).toMatchObject({
      outcome: { kind: "in_doubt", text: "HTTP 500: [secret] does not open [digits]" },
      evidence: { httpStatus: 500, text: "[secret] does not open [digits]" },
    });
    expect((await over(reply).client.balance("INR")).answer).toEqual({
      kind: "no_answer",
      code: "http_500",
      text: "HTTP 500: [secret] does not open [digits]",
    });
  });

  test("returns no balance when none arrived", async () => {
    const { answer, evidence } = await over({ code: "ECONNRESET", proof: "none" }).client.balance(
      "INR",
    );
    expect(answer).toEqual({
      kind: "no_answer",
      code: "ECONNRESET",
      text: "no response (ECONNRESET)",
    });
    expect(evidence).toMatchObject({ code: "ECONNRESET", httpStatus: null });
    const told = await over(json({ balance: "1.000", currency_code: "INR" })).client.balance("INR");
    expect(told).toMatchObject({
      answer: { kind: "told", balance: { balance: "1.000" } },
      evidence: { httpStatus: 200, code: null, text: "" },
    });
  });
});

describe("state of a deposit", () => {
  const record = {
    transaction_code: "SHOP-1",
    amount: 1000,
    currency_code: "INR",
    status: "completed",
  };
  const stateOf = async (kind: "status" | "depositStatus", transaction_no: string | null) => {
    const { client } = over(
      json({ success: true, message: "x", data: [{ ...record, transaction_no }] }),
    );
    const { answer } = await client[kind]("INR", "SHOP-1");
    return answer.kind === "found" ? answer.record.state : answer.kind;
  };

  test.each([
    ["depositStatus", "DP1", "completed"],
    ["depositStatus", null, "completed"],
    ["depositStatus", "WD1", "unclear"],
    ["status", "DP1", "unclear"],
    ["status", "WD1", "completed"],
  ] as const)("maps %s with number %s to %s", async (kind, number, state) => {
    expect(await stateOf(kind, number)).toBe(state);
  });

  test("stores an unknown word without keys, account numbers and line breaks", async () => {
    const status = `paid\nto 1234567890 ${"x".repeat(400)}`;
    const { client } = over(json({ success: true, data: [{ ...record, status }] }));
    const { answer } = await client.depositStatus("INR", "SHOP-1");
    const says = answer.kind === "found" ? answer.record.says : null;
    expect(says).toMatch(/^paid to \[digits\] x+$/);
    expect(says?.length).toBeLessThanOrEqual(200);
  });
});
