/** A payer's view: every form of the page in a real browser, with and without scripts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Destination } from "#deposit/outcome.ts";

import {
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
  type Look,
  type Visitor,
  visit,
} from "../support/dashboard/browser.ts";
import { insertDeposit, type TestDeposit } from "../support/servers/insert-deposit.ts";
import { startTestServer, type TestServer } from "../support/dashboard/server.ts";

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await startTestServer({}, []);
  url = await server.listen();
});
afterAll(() => server.close());

const QUARTER_MS = 900_000;
const PHONE: Look = { width: 360, height: 740 };
const LONG = "0123456789".repeat(4);

// biome-ignore format: the columns are the point
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  "UPI":                      { kind: "upi", upiId: "a.rather.long.name.of.a.shop@examplebank", qrUrl: null },
  "wallet":                   { kind: "wallet", walletNumber: LONG, walletNumberType: "personal", walletName: "Rocket", walletCode: "rocket" },
  "wallet with a match code": { kind: "match_code", walletNumber: "01812345678", walletName: "Rocket", walletCode: "rocket", matchCode: "482913" },
  "bank":                     { kind: "bank", accountNumber: LONG, accountName: "山田商店 Yamada" },
  "KRW account":              { kind: "krw_account", bankName: "KB Kookmin Bank", accountName: "Kim Minjun", accountNumber: LONG },
};
const BANKS = [
  { code: "kookmin_kr", name: "KB Kookmin Bank" },
  { code: "long_kr", name: "A bank with a name that is longer than the screen of a phone is wide" },
];

// biome-ignore format: the columns are the point
const PAGES: readonly (readonly [string, TestDeposit])[] = [
  ...Object.entries(DESTINATIONS).map(([name, destination]) => [name, { state: "awaiting_payment", destination, expiresInMs: QUARTER_MS }] as const),
  ["KRW, which account", { state: "awaiting_bank", currency: "KRW", amount: "50000", banks: BANKS }],
  ["not told yet",       { state: "requested" }],
  ["in doubt",           { state: "in_doubt" }],
  ["too late",           { state: "awaiting_payment", expiresInMs: -1 }],
  ["expired",            { state: "expired" }],
  ["declined",           { state: "declined" }],
  ["with a person",      { state: "manual" }],
  ["received in part",   { state: "completed", paid: "1000.00" }],
];

const put = (wanted: TestDeposit) => insertDeposit(server.deps, wanted, server.deps.clock.nowMs());
const payable = (name = "UPI", more: Partial<TestDeposit> = {}) =>
  put({
    state: "awaiting_payment",
    destination: DESTINATIONS[name] as Destination,
    expiresInMs: QUARTER_MS,
    ...more,
  });
const move = (code: string, state: TestDeposit["state"], paid: string | null = null) =>
  server.deps.database
    .updateTable("deposits")
    .set({ state, paid_minor: paid })
    .where("transaction_code", "=", code)
    .execute();

describe("every page has no console errors, is accessible in both themes, and is no wider than a phone:", () => {
  let payer: Visitor;
  beforeAll(async () => {
    payer = await visit(url, null, PHONE);
  });
  afterAll(() => payer.close());

  test.each(PAGES)("%s", async (name, wanted) => {
    const { path } = await put(wanted);
    await payer.open(path);
    expect(await payer.page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await looksRight(payer, name);
  });
});

test("the page for a reference, and invalid payment links", async () => {
  const { path } = await payable();
  const payer = await visit(url, null, PHONE);
  await payer.open(path);
  await payer.page.getByRole("link", { name: /^Already paid\?/ }).click();
  expect(await payer.page.getByLabel("Reference").getAttribute("aria-describedby")).toBe(
    "reference-hint",
  );
  await looksRight(payer, "reference");
  await payer.open(`${path}x`);
  await payer.page.getByText("This link is not valid").waitFor();
  await looksRight(payer, "no payment", /404/);
  await payer.close();
});

async function looksRight(payer: Visitor, name: string, expected?: RegExp): Promise<void> {
  const { page } = payer;
  await expectAccessible(page, `${name}, light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page, `${name}, dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page, name);
  payer.expectQuiet(expected);
}

describe("with scripts", () => {
  test("copies a value that must be entered elsewhere, and says so", async () => {
    const { path } = await payable("wallet with a match code");
    const { page, context, open, expectQuiet, close } = await visit(url, null, PHONE);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    await open(path);
    for (const [label, text] of [
      ["Amount", "1250.50"],
      ["Wallet number", "01812345678"],
      ["Match code", "482913"],
    ]) {
      await page.getByRole("button", { name: `Copy: ${label}`, exact: true }).click();
      await page
        .getByRole("status")
        .filter({ hasText: `Copied: ${label}` })
        .waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
    }
    expectQuiet();
    await close();
  });

  test("counts down the time, and asks nobody to pay after it", async () => {
    const { path } = await payable("bank", { expiresInMs: 4_000 });
    const { page, open, expectQuiet, close } = await visit(url, null, PHONE);
    await open(path);
    await page
      .getByRole("timer")
      .getByText(/^00:0[1-4] left$/)
      .waitFor();
    await page.getByRole("heading", { name: "The payment deadline has passed" }).waitFor();
    expect(await page.getByText(LONG).count()).toBe(0);
    expectQuiet();
    await close();
  });

  test("updates by itself, and reports received money when it is proven", async () => {
    const { path, code } = await payable();
    const { page, open, expectQuiet, close } = await visit(url, null, PHONE);
    await open(path);
    await page.getByText("Waiting for your payment.").waitFor();
    expect(await page.getByText(/UPI ID/).count()).toBeGreaterThan(0);
    await move(code, "completed", "120000");
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    await page
      .getByText(
        "The requested amount was INR 1,250.50, but the payment service reports INR 1,200.00.",
      )
      .waitFor();
    expectQuiet();
    await close();
  });
});

describe("without scripts", () => {
  const PLAIN: Look = { ...PHONE, scripts: false };

  test.each(Object.keys(DESTINATIONS))(
    "shows everything for %s, without buttons that do nothing",
    async (name) => {
      const { path } = await payable(name);
      const { page, open, expectQuiet, close } = await visit(url, null, PLAIN);
      await open(path);
      await page.getByText(/^Pay before /).waitFor();
      await page.getByText("(GMT+06:00)").waitFor();
      expect(await page.getByRole("button").count()).toBe(0);
      expect(await page.locator('meta[http-equiv="refresh"]').getAttribute("content")).toBe("20");
      expectQuiet();
      await close();
    },
  );
});
