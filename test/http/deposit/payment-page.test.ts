/**
 * The payment page over HTTP: what it shows in each state, what it never shows, and invalid links.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { DepositState } from "#deposit/lifecycle.ts";
import type { Destination } from "#deposit/outcome.ts";

import { insertDeposit, type TestDeposit } from "../../support/servers/insert-deposit.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
});
afterAll(() => server.close());

const QUARTER_MS = 900_000;
const UPI: Destination = { kind: "upi", upiId: "shop.x@bank", qrUrl: "http://127.0.0.1:9/qr" };

const put = (wanted: TestDeposit) => insertDeposit(server.deps, wanted, server.deps.clock.nowMs());
const payable = (more: Partial<TestDeposit> = {}) =>
  put({ state: "awaiting_payment", destination: UPI, expiresInMs: QUARTER_MS, ...more });
const get = async (path: string, headers = {}) => server.nobody.get(path, { headers });
const titleOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];

describe("a payment", () => {
  test.each<[Destination, readonly string[]]>([
    [UPI, ["shop.x@bank", "upi://pay?pa=shop.x@bank&#38;pn=shop.x@bank&#38;am=1250.50&#38;cu=INR"]],
    [
      {
        kind: "wallet",
        walletNumber: "01812345678",
        walletNumberType: "personal",
        walletName: "Rocket & Sons",
        walletCode: "rocket",
      },
      ["01812345678", "personal", "Rocket &#38; Sons", "rocket"],
    ],
    [
      {
        kind: "match_code",
        walletNumber: "01812345678",
        walletName: "Rocket",
        walletCode: "rocket",
        matchCode: "482913",
      },
      ["01812345678", "482913", "Add this code to your payment"],
    ],
    [{ kind: "bank", accountNumber: "00123", accountName: "Yamada" }, ["00123", "Yamada"]],
    [
      { kind: "krw_account", bankName: "KB", accountName: "Kim", accountNumber: "123-45" },
      ["KB", "Kim", "123-45"],
    ],
  ])("shows the amount and where to pay it: %o", async (destination, told) => {
    const { path, code } = await payable({ destination });
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(titleOf(text)).toBe("Pay INR 1,250.50");
    expect(text).toContain('<dd><span>INR <span class="value">1250.50</span></span>');
    expect(text).toContain('data-copy="1250.50"');
    for (const each of [...told, code]) expect(text).toContain(each);
  });

  test("asks for the gateway's amount when it differs from the requested one", async () => {
    const { path } = await payable({ payable: "1250.53" });
    const { text } = await get(path);
    expect(titleOf(text)).toBe("Pay INR 1,250.53");
    expect(text).toContain("am=1250.53");
  });

  test("shows the deadline as the gateway wrote it, and the remaining time for the script", async () => {
    const { path } = await payable({ expiresText: "2026-11-21 18:00:00" });
    const { text } = await get(path);
    expect(text).toContain("2026-11-21 18:00:00 (GMT+06:00)");
    const left = Number(/data-left-ms="(\d+)"/.exec(text)?.[1]);
    expect(left).toBeGreaterThan(QUARTER_MS - 60_000);
    expect(left).toBeLessThanOrEqual(QUARTER_MS);
  });

  test("shows no countdown when the zone cannot be read", async () => {
    const { path } = await put({
      state: "awaiting_payment",
      destination: UPI,
      expiresText: "soon",
    });
    const { text } = await get(path);
    expect(text).toContain("soon (GMT+06:00)");
    expect(text).not.toContain("data-left-ms");
  });

  // biome-ignore format: the columns are the point
  test.each<[string, TestDeposit, string, readonly string[]]>([
    ["no instructions yet", { state: "requested" },                    "One moment, please", ["do not pay yet"]],
    ["in doubt",         { state: "in_doubt" },                     "This payment is being checked", ["do not pay"]],
    ["after its deadline", { state: "awaiting_payment", destination: UPI, expiresInMs: -1 }, "The payment deadline has passed", ["we are still looking for your payment"]],
    ["told nowhere",     { state: "awaiting_payment" },             "Payment details are not available", ["do not pay"]],
    ["expired",          { state: "expired", destination: UPI },    "This payment has expired", ["No payment was found in time"]],
    ["declined",         { state: "declined", destination: UPI },   "This payment cannot continue", ["do not pay"]],
    ["with a person",    { state: "manual", destination: UPI },     "This payment needs a manual check", ["do not pay"]],
    ["paid",             { state: "completed", destination: UPI, paid: "1250.50" }, "Payment received", ["has arrived", "reports an amount of INR 1,250.50"]],
    ["partly paid",      { state: "completed", paid: "1200.00" },   "Payment received", ["The requested amount was INR 1,250.50, but the payment service reports INR 1,200.00"]],
    ["paid, amount unknown", { state: "completed" },                  "Payment received", ["has arrived"]],
  ])("%s: states only what is proven, and shows no payment instructions", async (_name, wanted, title, told) => {
    const { path } = await put(wanted);
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(titleOf(text)).toBe(title);
    for (const each of told) expect(text).toContain(each);
    expect(text).not.toContain("shop.x@bank");
  });

  test("reports received money only when completed", async () => {
    const others: readonly DepositState[] = [
      "requested", "in_doubt", "awaiting_bank", "awaiting_payment", "expired", "declined", "manual",
    ]; // biome-ignore format: a list
    for (const state of others) {
      const { path } = await put({
        state,
        destination: UPI,
        paid: "1.00",
        expiresInMs: QUARTER_MS,
      });
      const { text } = await get(path);
      expect(text.replaceAll("when it has been received", ""), state).not.toMatch(
        /received|arrived|success|completed/i,
      );
    }
  });

  test("asks for the payer's account with a list of banks, or with a text field without one", async () => {
    const banks = [
      { code: "kookmin_kr", name: 'KB "Kookmin"' },
      { code: "shinhan_kr", name: "Shinhan" },
    ];
    const listed = await put({ state: "awaiting_bank", currency: "KRW", amount: "50000", banks });
    const { text } = await get(listed.path);
    expect(titleOf(text)).toBe("Which account will you pay from?");
    expect(text).toContain('<option value="kookmin_kr">KB &#34;Kookmin&#34;</option>');
    expect(text).toContain("KRW 50,000");
    const unlisted = await put({ state: "awaiting_bank", currency: "KRW", amount: "50000" });
    expect((await get(unlisted.path)).text).toContain('<input id="bank_code"');
  });

  test("shows the gateway's text as text", async () => {
    const evil = `"><script>alert(1)</script>'&`;
    const { path } = await payable({
      destination: { kind: "bank", accountNumber: evil, accountName: evil },
    });
    const { text } = await get(path);
    expect(text).not.toContain("<script>");
    expect(text.match(/<script /g)).toHaveLength(1);
    expect(text).toContain("&#34;&#62;&#60;script&#62;");
  });
});

describe("the page's environment", () => {
  test("is not cached, shared, indexed or framed", async () => {
    const { headers } = await get((await payable()).path);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "content-security-policy":
        "default-src 'none';script-src 'self';style-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    });
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("names files by their digest and caches them permanently", async () => {
    const { text } = await get((await payable()).path);
    const files = [...text.matchAll(/(?:href|src)="(\/pay\/files\/[^"]+)"/g)].map(([, at]) => at);
    expect(files).toHaveLength(2);
    for (const file of files) {
      const { status, headers } = await get(file ?? "");
      expect(status).toBe(200);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
  });

  test("keeps its ETag while nothing changes, and changes it otherwise", async () => {
    const { path, code } = await payable();
    const tag = async () => (await server.nobody.send("HEAD", path)).headers["etag"];
    const before = await tag();
    expect((await get(path)).text).toContain(
      `data-tag="${String(before).replaceAll('"', "&#34;")}"`,
    );
    expect(await tag()).toBe(before);
    await server.deps.database
      .updateTable("deposits")
      .set({ state: "manual" })
      .where("transaction_code", "=", code)
      .execute();
    expect(await tag()).not.toBe(before);
  });

  test("refreshes itself without a script, but never while the payer types", async () => {
    const refresh = '<noscript><meta http-equiv="refresh"';
    const { path } = await payable();
    expect((await get(path)).text).toContain(refresh);
    expect((await get(`${path}/reference`)).text).not.toContain(refresh);
    const bank = await put({ state: "awaiting_bank", currency: "KRW", amount: "1000" });
    expect((await get(bank.path)).text).not.toContain(refresh);
  });
});

describe("an invalid payment link", () => {
  test("has one answer, whatever was tried", async () => {
    const { token } = await payable();
    const wrong = await get(`/pay/${"A".repeat(43)}`);
    expect(wrong.status).toBe(404);
    expect(titleOf(wrong.text)).toBe("This link is not valid");
    const others = [
      "/pay/",
      "/pay/x",
      "/pay/%zz",
      `/pay/${"B".repeat(4_000)}`,
      `/pay/${token.slice(0, -1)}`,
      `/pay/${token.toLowerCase()}`,
      `/pay/${token}/`,
      `/pay/${token}/nothing`,
      `/pay/${token}/reference/more`,
      "/pay/files/page.css",
    ];
    for (const path of others) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const { status, text, headers } = await server.nobody.send(method, path);
        expect([method, path, status, text]).toEqual([method, path, 404, wrong.text]);
        expect(headers["content-security-policy"]).toBe(wrong.headers["content-security-policy"]);
      }
    }
  });

  test("cannot be derived from the ledger, which stores only a digest of the address", async () => {
    const { token, code } = await payable();
    const row = await server.deps.database
      .selectFrom("deposits")
      .selectAll()
      .where("transaction_code", "=", code)
      .executeTakeFirstOrThrow();
    const kept = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString("latin1") : String(value),
    );
    expect(kept.join(" ")).not.toContain(token);
    expect(kept.join(" ")).not.toContain(Buffer.from(token, "base64url").toString("latin1"));
  });
});
