/**
 * Rules for every page: no console errors, accessible, no horizontal scrolling, and no claim about
 * money without proof.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

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
  };
});
afterAll(() => app.close());

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

  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page, name);
  // The part of a 1280 px screen that remains at 200 % text size.
  await page.setViewportSize({ width: 640, height: 450 });
  await expectNoHorizontalScroll(page, name);

  visitor.expectQuiet();
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
