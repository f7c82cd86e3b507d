/**
 * Rules for every page: no console errors, accessible, no horizontal scrolling, and no claim about
 * money without proof.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

import { applyPayoutAction, previewPayoutAction } from "#flows/payout/payout-actions.ts";
import type { Role } from "#people/roles.ts";
import {
  claimsOf,
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
  type Visitor,
} from "../../support/dashboard/browser.ts";
import { requestedDeposit } from "../../support/dashboard/requested-deposit.ts";
import { DASHBOARD_PAGES, type PageData } from "../../support/dashboard/pages.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

const PAID_TWICE = { amount: "1250.50", account: "60100000000077" };

let app: OpenDashboard;
let stock: PageData;
/** By role, one browser each, which keeps its cache as people's browsers do. */
const visitors = new Map<string, Promise<Visitor>>();

function visitorOf(roles: readonly Role[] | null): Promise<Visitor> {
  const key = String(roles);
  const visitor = visitors.get(key) ?? (roles === null ? app.stranger() : app.visitor(roles));
  visitors.set(key, visitor);
  return visitor;
}

beforeAll(async () => {
  app = await openDashboard({ faults: [{ fault: "code_120", code: "REFUSED1" }] });
  const settled = await app.batch(
    [{ ...PAID_TWICE, code: "SETTLED1" }, { amount: "80.00" }],
    "approved",
  );
  const repeating = await app.batch([PAID_TWICE]);
  const waiting = await app.batch([{ amount: "3000.00" }, { currency: "THB", amount: "420.00" }]);
  const refused = await app.batch([{ amount: "9.00", code: "REFUSED1" }], "approved");
  const { code: depositCode } = await requestedDeposit(app, { currency: "BDT", amount: "100.00" });
  await eventually("the end of the batches", async () => {
    const other = await app.payrun.ledger.payout.findBatch({ id: refused.id });
    if (other?.state !== "finished_with_exceptions") return false;
    const batch = await app.payrun.ledger.payout.findBatch({ id: settled.id });
    return batch?.state === "finished";
  });
  stock = {
    settledBatch: settled.id,
    waitingBatch: waiting.id,
    repeatingBatch: repeating.id,
    settledCode: "SETTLED1",
    depositCode,
    actionId: await appliedAction("SETTLED1"),
  };
});
afterAll(() => app.close());

/** Queries the status of a payout as an action on many payouts, and returns its ID. */
async function appliedAction(code: string): Promise<string> {
  const { ledger } = app.payrun;
  const actor = "cli:asha";
  const selection = { codes: 1 };
  const order = { action: "query", filter: { code }, selection, actor } as const;
  const preview = await previewPayoutAction(order, { ledger });
  if (!preview.ok) throw new Error(preview.error);
  const { id } = preview.value;
  const applied = await applyPayoutAction({ id, actor, reason: "Asked by finance" }, { ledger });
  if (!applied.ok) throw new Error(applied.error);
  return id;
}

test.each(DASHBOARD_PAGES)("the page: $name", async ({ name, roles, path, shows }) => {
  const visitor = await visitorOf(roles);
  const { page } = visitor;
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
  await visitor.open(path(stock));
  if (shows !== undefined) await page.getByText(shows, { exact: true }).waitFor();

  expect(await claimsOf(page), `${name} says without proof that money has arrived`).toEqual([]);
  await expectAccessible(page, `${name}, light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  expect(await page.evaluate("document.getAnimations().length"), `${name} moves`).toBe(0);
  await expectContrast(page, `${name}, dark`);

  await expectNoHorizontalScroll(page, name);
  for (const width of [768, 360, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expectNoHorizontalScroll(page, `${name} at ${width} px`);
  }
  // The part of a 1280 px screen that remains at 200 % text size.
  await page.setViewportSize({ width: 640, height: 450 });
  await expectNoHorizontalScroll(page, name);

  visitor.expectQuiet();
});

test("shows the name, amount and state of a payout on a phone, and opens it by keys", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"], {
    width: 360,
    height: 740,
  });
  await open("/payouts");
  const row = page.getByRole("row").filter({ hasText: "SETTLED1" });
  expect(await row.getByRole("rowheader").count()).toBe(1);
  const name = row.getByRole("rowheader").filter({ hasText: "Asha Rao" });
  const parts = [name, row.getByText("INR 1,250.50"), row.getByText("settled", { exact: true })];
  for (const part of parts) {
    const box = await part.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  }
  await expectAccessible(page, "payouts on a phone");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/payouts\/[^/]+$/);
  expectQuiet();
  await close();
});

test("collapses totals of many currencies, and lists them by keyboard", async () => {
  const currencies = ["IDR", "INR", "PHP", "THB"] as const;
  const { id } = await app.batch(currencies.map((currency) => ({ currency, amount: "1200.00" })));
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"], { width: 360 });
  await open("/batches");
  const row = page.getByRole("row").filter({ hasText: id });
  const all = page.getByRole("dialog", { name: "4 currencies · 4 payouts" });
  expect(await row.getByText("IDR").isVisible()).toBe(false);
  await row.getByRole("button", { name: "4 currencies · 4 payouts" }).press("Enter");
  for (const currency of currencies) await all.getByText(currency, { exact: true }).waitFor();
  const box = await all.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await expectAccessible(page, "the totals of a batch on a phone");
  await page.keyboard.press("Escape");
  await all.waitFor({ state: "hidden" });
  expectQuiet();
  await close();
});

test("offers no settings buttons to users without the right, whichever way they came", async () => {
  const { page, open, expectQuiet } = await visitorOf(["operator"]);
  for (const path of ["users", "notifications"]) {
    await open(`/settings/${path}`);
    await page.getByText("You do not have permission").waitFor();
    const offered = await page.getByRole("main").getByRole("button").allTextContents();
    expect(offered).toEqual([]);
  }
  expectQuiet(/403/);
});
