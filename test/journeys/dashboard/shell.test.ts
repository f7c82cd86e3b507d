import { afterAll, beforeAll, expect, test } from "vitest";

import { expectAccessible } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

test("lets the keyboard skip the frame, and announces a new page by its heading", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"]);
  await open("/");
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("id")).toBe("main");

  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Batches" })
    .click();
  const heading = page.getByRole("heading", { level: 1, name: "Batches" });
  await heading.and(page.locator(":focus")).waitFor();
  expect(await page.title()).toBe("Batches · payrun");
  expectQuiet();
  await close();
});

test("has five targets at the bottom of a phone, and the other pages in a drawer", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"], {
    width: 360,
    height: 740,
  });
  await open("/");
  const bar = page.getByRole("navigation", { name: "Main" });
  expect(await bar.locator("a, button").allInnerTexts()).toEqual([
    "Home",
    "Batches",
    "Approvals",
    "Payouts",
    "More",
  ]);
  await bar.getByRole("link", { name: "Payouts" }).click();
  await page.getByRole("heading", { level: 1, name: "Payouts" }).waitFor();
  expect(await bar.locator("[aria-current]").innerText()).toBe("Payouts");

  const drawer = page.getByRole("dialog", { name: "Menu" });
  await bar.getByRole("button", { name: "More" }).press("Enter");
  await drawer.waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  await bar.getByRole("button", { name: "More" }).press("Enter");
  await drawer.getByRole("link", { name: "Batches" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Batches" }).waitFor();
  await drawer.waitFor({ state: "hidden" });
  expect(await drawer.isVisible()).toBe(false);
  expectQuiet();
  await close();
});

test("keeps a chosen theme", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"]);
  const theme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  await open("/");
  expect(await theme()).toBe("light");
  await page.getByRole("button", { name: "Dark theme" }).click();
  expect(await theme()).toBe("dark");
  await open("/");
  expect(await theme()).toBe("dark");
  expectQuiet();
  await close();
});

test("opens pages by single-letter keys, lists them with ?, and can turn them off", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"]);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await open("/");
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await heading("Batches").waitFor();
  await page.getByLabel("Name, purpose, file or batch ID").fill("g");
  await page.keyboard.type("p");
  expect(await page.getByLabel("Name, purpose, file or batch ID").inputValue()).toBe("gp");
  await page.getByRole("link", { name: "Batches" }).focus();

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByText("g f").waitFor();
  expect(await keys.getByText("Audit log").count()).toBe(0);
  await expectAccessible(page, "the keys");
  await keys.getByRole("switch", { name: "Single-letter shortcuts" }).press("Space");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await page.locator("input:focus").waitFor();
  expect(await keys.count()).toBe(0);
  expect(await heading("Batches").count()).toBe(1);
  expectQuiet();
  await close();
});

test("shows the sending status and the server's time in the top bar, even on a computer with a wrong clock", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["operator"]);
  const minuteText = (ms: number) => `${new Date(ms).toISOString().slice(11, 16)} UTC`;
  await page.clock.install({ time: Date.now() + 12 * 60_000 });
  await open("/");
  const light = page.getByRole("link", { name: /^Sending: / });
  await light.focus();
  await page.getByRole("tooltip").getByText("No lane is stopped or paused").waitFor();
  expect(await light.getAttribute("href")).toBe("/operations?tab=lanes");
  await page.keyboard.press("Escape");
  await page.getByText("No lane is stopped or paused").waitFor({ state: "hidden" });

  await page.getByText("your computer's clock is 12 min ahead").filter({ visible: true }).waitFor();
  const shown = await page.getByRole("banner").locator("time").innerText();
  const nowMs = Date.now();
  expect([nowMs, nowMs - 60_000].map(minuteText)).toContain(shown);

  await app.payrun.ledger.payout.pauseLane({
    lane: "*",
    reason: "the bank called",
    actor: "cli:test",
    until: null,
    drain: false,
  });
  // The page polls every 30 s. Users share a status indicator that may be a moment old.
  await expect
    .poll(
      async () => {
        await page.clock.runFor(30_000);
        return light.innerText();
      },
      { timeout: 20_000 },
    )
    .toContain("paused");
  await light.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Operations" }).waitFor();
  expectQuiet();
  await close();
});

test("shows all times in the zone that the user chose, and names it in the top bar", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"]);
  const clock = page.getByRole("banner").locator("time").last();
  const zone = page.getByRole("combobox", { name: "Time zone" });
  const seen = page.getByRole("table", { name: "Your active sessions" }).locator("time").first();
  await open("/profile");
  expect(await clock.innerText()).toMatch(/ UTC$/);
  const before = await seen.innerText();
  await zone.fill("kolk");
  await page.getByRole("option", { name: "Asia/Kolkata (GMT+5:30)" }).click();
  await clock.getByText("Asia/Kolkata").waitFor();
  expect(await seen.innerText()).not.toBe(before);
  await open("/profile");
  await expectAccessible(page, "the profile with a time zone");
  expect(await clock.innerText()).toMatch(/ Asia\/Kolkata$/);
  await page.getByRole("button", { name: "Use the browser's time zone" }).click();
  await clock.getByText("UTC").waitFor();
  expect(await seen.innerText()).toBe(before);
  expectQuiet();
  await close();
});

test("retries a page that a proxy refused, and makes the shown page live again", async () => {
  const pause = { reason: "the bank called", actor: "test", until: null, drain: false };
  await app.payrun.ledger.payout.pauseLane({ lane: "*", ...pause });
  const { id } = await app.batch([{ amount: "61.00" }], "approved");
  const { page, open, expectQuiet } = await app.visitor(["operator"]);
  await open("/");
  const refuse = (address: string) =>
    page.route(address, (asked) => asked.fulfill({ status: 502, body: "bad gateway" }));
  await refuse("**/assets/**");
  await page.getByRole("link", { name: "Schedules" }).click();
  await page.getByText("This page could not be displayed").waitFor();
  await page.unroute("**/assets/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Schedules" }).waitFor();

  await refuse("**/api/live**");
  await open(`/batches/${id}`);
  await page.getByText(/· offline since/).waitFor();
  await page.unroute("**/api/live**");
  await page.getByText(/· live/).waitFor();
  expect(await page.getByText(/· offline since/).count()).toBe(0);
  expectQuiet(/502|Failed to fetch dynamically|preload/);
});
