/**
 * Deposits: requested on the dashboard, paid on the payment page through the simulated gateway,
 * seen on the dashboard.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { findDeposit } from "#ledger/deposit/deposits.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

import { requestedDeposit } from "../../support/dashboard/requested-deposit.ts";
import {
  claimsOf,
  expectAccessible,
  expectNoHorizontalScroll,
  type Look,
} from "../../support/dashboard/browser.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const PHONE: Look = { width: 360, height: 740 };

const stateOf = async (code: string) =>
  (await findDeposit(app.payrun.database, app.payrun.sealer, code))?.state;

/** Action of the payer's bank or wallet. */
async function pay(currency: string, code: string, amount: string): Promise<void> {
  const merchant =
    DEMO_MERCHANTS.find(({ currencies }) => currencies.includes(currency))?.merchant_code ?? "";
  const form = new URLSearchParams({ merchant, code, action: "pay", amount });
  const answer = await fetch(`${app.gateway.url}/operator`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  expect(answer.status, await answer.text()).toBe(303);
}

test("shows a deposit, requested on the dashboard and paid in part with a reference, to both sides after the gateway confirms it", async () => {
  const desker = await app.visitor(["uploader", "operator"]);
  await desker.open("/deposits");
  await desker.page.getByText("No deposits have been requested yet.").waitFor();
  await desker.page.getByRole("link", { name: "Request a deposit" }).click();
  await desker.page.getByLabel("Amount").fill("1250.50");
  await desker.page.getByLabel("User").fill("customer-7");
  await desker.page.getByLabel("Payer's name").fill("Asha Rao");
  await desker.page.getByLabel("Reference").fill("order 4711");
  await desker.page.getByRole("button", { name: "Request deposit" }).click();
  await desker.page.getByRole("heading", { level: 1, name: "Deposit of INR 1,250.50" }).waitFor();
  const status = desker.page.getByRole("status").filter({ hasText: "Has the money arrived?" });
  await status.getByText("awaiting payment").waitFor();
  expect(await claimsOf(desker.page)).toEqual([]);

  await desker.page.getByRole("button", { name: "Copy link" }).waitFor();
  // The deadline is one time, in the reader's zone.
  expect(await desker.page.getByText(/GMT[ +]05:30/).count()).toBe(0);
  const link = await desker.page
    .getByRole("link", { name: "Open payment page" })
    .getAttribute("href");
  const payer = await app.stranger(PHONE);
  await payer.open(link ?? "");
  await payer.page.getByRole("heading", { level: 1, name: "Pay INR 1,250.50" }).waitFor();
  await payer.page.getByText(/^simulated\.\d{4}@upi$/).waitFor();
  await payer.page.getByRole("link", { name: /^Already paid\?/ }).click();
  await payer.page.getByLabel("Reference").fill("1234 5678 9012");
  await payer.page.getByRole("button", { name: "Send" }).click();
  await payer.page
    .getByRole("alert")
    .getByRole("link", { name: "Enter the 12-digit UTR." })
    .click();
  await payer.page.getByLabel("Reference").fill("123456789012");
  await payer.page.getByRole("button", { name: "Send" }).click();
  await payer.page
    .getByText("Thank you. We have received your reference and are using it to find your payment.")
    .waitFor();

  const code = new URL(desker.page.url()).pathname.split("/").at(-1) ?? "";
  await pay("INR", code, "1200.00");
  await desker.page.getByRole("button", { name: "Query status" }).click();
  await status.getByText("Yes. The gateway reports the deposit as completed.").waitFor();
  await desker.page.getByText("INR 1,200.00").first().waitFor();
  await payer.page.getByRole("heading", { level: 1, name: "Payment received" }).waitFor();
  await payer.page
    .getByText(
      "The requested amount was INR 1,250.50, but the payment service reports INR 1,200.00.",
    )
    .waitFor();

  await desker.page.keyboard.press("Control+k");
  for (const text of ["order 4711", "customer-7", code.toLowerCase()]) {
    await desker.page.getByRole("combobox").fill(text);
    await desker.page.getByRole("option").filter({ hasText: code }).waitFor();
  }
  await desker.page.getByRole("combobox").press("Enter");
  await desker.page.getByRole("heading", { level: 1, name: "Deposit of INR 1,250.50" }).waitFor();
  await desker.open("/deposits?reference=order%204711");
  await desker.page.getByRole("row").filter({ hasText: code }).getByText("completed").waitFor();
  await desker.open("/deposits?user_id=somebody");
  await desker.page.getByText("No deposits match.").waitFor();
  desker.expectQuiet();
  payer.expectQuiet(/422/);
});

test.each([
  ["INR", "P1001", "100.00", ["UPI ID"]],
  ["BDT", "P1002", "100.00", ["Wallet", "Wallet number", "Wallet name"]],
  ["BDT", "P1003", "100.00", ["Match code", "Wallet number"]],
  ["JPY", "P1004", "5000", ["Account number", "Account name"]],
])(
  "shows the payer of %s by %s the gateway's payment instructions",
  async (currency, paymentCode, amount, labels) => {
    const { code, path } = await requestedDeposit(app, { currency, amount, paymentCode });
    expect(await stateOf(code)).toBe("awaiting_payment");
    const payer = await app.stranger(PHONE);
    await payer.open(path);
    for (const label of labels) {
      await payer.page.getByRole("button", { name: `Copy: ${label}`, exact: true }).waitFor();
    }
    await payer.page.getByRole("timer").getByText(/left$/).waitFor();
    payer.expectQuiet();
  },
);

test("shows the deadline in the payer's time zone and language, and without scripts in the gateway's", async () => {
  const { code, path } = await requestedDeposit(app, { currency: "INR", amount: "1250.50" });
  const { expiry } = (await findDeposit(app.payrun.database, app.payrun.sealer, code)) ?? {};
  const inIndia = { hour: "numeric", minute: "2-digit", timeZone: "Asia/Kolkata" } as const;
  const local = new Intl.DateTimeFormat("hi-u-nu-latn", inIndia).format(expiry?.at ?? 0);
  const given = `${expiry?.text} (${expiry?.zone})`;
  for (const [scripts, shown] of [
    [true, local],
    [false, given],
  ] as const) {
    const look = { ...PHONE, scripts, locale: "hi-IN", timezone: "Asia/Kolkata" };
    const { page, open, expectQuiet } = await app.stranger(look);
    await open(path);
    await page.getByRole("time").filter({ hasText: shown }).waitFor();
    await expectNoHorizontalScroll(page, `hi, scripts: ${scripts}`);
    await page.getByText("भाषा: हिन्दी").click();
    await page.getByRole("link", { name: "Türkçe" }).click();
    await page.getByRole("heading", { level: 1, name: "INR 1,250.50 ödeyin" }).waitFor();
    await page.getByRole("link", { name: /referansınızı girin$/ }).click();
    await page.getByLabel("Referans").fill("1");
    await page.getByRole("button", { name: "Gönder" }).click();
    await page.getByRole("link", { name: "12 rakamlı UTR numarasını girin." }).waitFor();
    expect(new URL(page.url()).search).toBe("?lang=tr");
    if (scripts) await expectAccessible(page, "the form in Turkish");
    await page.getByRole("link", { name: "English", exact: true }).last().click();
    await page.getByRole("heading", { level: 1, name: "Your payment reference" }).waitFor();
    expectQuiet(/422/);
  }
});

describe.each([true, false])("KRW, with scripts: %s", (scripts) => {
  test("accepts the payer's account once, then shows payment instructions", async () => {
    const { code, path } = await requestedDeposit(app, { currency: "KRW", amount: "50000" });
    const payer = await app.stranger({ ...PHONE, scripts });
    const second = await app.stranger({ ...PHONE, scripts });
    for (const { open, page } of [second, payer]) {
      await open(path);
      await page.getByLabel("Your bank").selectOption("Shinhan Bank");
    }
    const { page } = payer;
    await page.getByLabel("Your account number").fill("my account");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Please check the following" }).waitFor();
    expect(await page.getByLabel("Your bank").inputValue()).toBe("shinhan_kr");
    await page.getByLabel("Your account number").fill("110-234-567890");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Pay KRW 50,000" }).waitFor();
    await page.getByText("Account number", { exact: true }).waitFor();

    await second.page.getByLabel("Your account number").fill("999-999");
    await second.page.getByRole("button", { name: "Continue" }).click();
    await second.page.getByRole("heading", { level: 1, name: "Pay KRW 50,000" }).waitFor();
    const kept = await findDeposit(app.payrun.database, app.payrun.sealer, code);
    expect(kept?.depositor).toMatchObject({
      bankCode: "shinhan_kr",
      accountNumber: "110-234-567890",
    });
    payer.expectQuiet(/422/);
    second.expectQuiet();
  });
});

test("asks again for an account that the gateway refused", async () => {
  await app.gateway.setFaults([{ fault: "code_110", operation: "krw_depositor" }]);
  const { code, path } = await requestedDeposit(app, { currency: "KRW", amount: "70000" });
  const { page, open, expectQuiet } = await app.stranger(PHONE);
  await open(path);
  await page.getByLabel("Your bank").selectOption("Shinhan Bank");
  await page.getByLabel("Your account number").fill("110-1");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Your entry was not accepted.").waitFor();
  await page.getByLabel("Your account number").waitFor();
  expect(await stateOf(code)).toBe("awaiting_bank");
  await app.gateway.setFaults([]);
  expectQuiet();
});

test("lets an operator submit on the dashboard what the payer says by telephone", async () => {
  const krw = await requestedDeposit(app, { currency: "KRW", amount: "60000" });
  const inr = await requestedDeposit(app, { currency: "INR", amount: "410.00" });
  const { page, open, expectQuiet } = await app.visitor(["uploader", "operator"]);
  await open(`/deposits/${krw.code}`);
  await page.getByLabel("Payer's bank").selectOption("Shinhan Bank");
  await page.getByLabel("Payer's account number").fill("110-234-567890");
  await page.getByRole("button", { name: "Send account details" }).click();
  await page.getByText("Account name").waitFor();
  expect(await stateOf(krw.code)).toBe("awaiting_payment");
  await open(`/deposits/${inr.code}`);
  await page.getByLabel("Payment reference").fill("12");
  await page.getByRole("button", { name: "Send reference" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Payment reference").fill("123456789012");
  await page.getByRole("button", { name: "Send reference" }).click();
  await eventually(
    "the dashboard sends it",
    async () => (await page.getByLabel("Payment reference").inputValue()) === "",
  );
  expectQuiet(/4\d\d/);
});

test("shows a deposit with a lost answer as being checked, and asks nobody to pay", async () => {
  await app.gateway.setFaults([
    { fault: "cut_after", operation: "deposit" },
    { fault: "status_500" },
  ]);
  const { code, path } = await requestedDeposit(app, { currency: "INR", amount: "300.00" });
  await eventually("it is in doubt", async () => (await stateOf(code)) === "in_doubt");
  const payer = await app.stranger(PHONE);
  await payer.open(path);
  await payer.page
    .getByRole("heading", { level: 1, name: "This payment is being checked" })
    .waitFor();
  expect(await payer.page.getByText(/upi/i).count()).toBe(0);
  const desker = await app.visitor(["viewer"]);
  await desker.open(`/deposits/${code}`);
  await desker.page.getByText("in doubt").first().waitFor();
  await app.gateway.setFaults([]);
  payer.expectQuiet();
  desker.expectQuiet();
});

test("requires two people to resolve an unexplained deposit: one states the result, another agrees", async () => {
  const { code } = await requestedDeposit(app, { currency: "INR", amount: "500.00" });
  await app.payrun.database
    .updateTable("deposits")
    .set({ state: "manual", reason: "manual_process", due_at: null })
    .where("transaction_code", "=", code)
    .execute();
  const operator = await app.visitor(["operator"]);
  const approver = await app.visitor(["approver"], PHONE);
  await app.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 600_000) })
    .where("user_id", "=", approver.userId)
    .execute();
  await operator.open(`/deposits/${code}`);
  await operator.page.getByText(/^The link is available only to the payer/).waitFor();
  await operator.page.getByLabel("Money arrived", { exact: true }).check();
  await operator.page.getByLabel("Amount received (INR)").fill("500");
  await operator.page.getByLabel("Evidence").fill("statement of 3 May, ticket 4711");
  await operator.page.getByRole("button", { name: "Propose result" }).click();
  await operator.page
    .getByText("Another user with the approver role must confirm the result.")
    .waitFor();
  await approver.open(`/deposits/${code}`);
  await approver.page.getByText("INR 500.00 arrived.").waitFor();
  expect(await claimsOf(approver.page)).toEqual([]);
  await approver.page.getByRole("button", { name: "Confirm and resolve" }).click();
  for (const { page } of [approver, operator]) {
    await page.getByRole("status").getByText("resolved manually").waitFor();
    expect(await claimsOf(page)).toEqual([]);
  }
  operator.expectQuiet();
  approver.expectQuiet();
});
