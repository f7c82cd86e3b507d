import { afterAll, beforeAll, expect, test } from "vitest";

import { openDesk, type OpenDesk } from "../support/open-desk.ts";

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test("the keyboard gets past the frame, and a new page is announced by its heading", async () => {
  const { page, open, expectQuiet, close } = await desk.visitor(["viewer"]);
  await open("/");
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to the page");
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

test("on a phone the rail is a drawer, which Escape and a choice close", async () => {
  const { page, open, expectQuiet, close } = await desk.visitor(["viewer"], {
    width: 360,
    height: 740,
  });
  await open("/");
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await drawer.waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Menu" }).press("Enter");
  await drawer.getByRole("link", { name: "Batches" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Batches" }).waitFor();
  await drawer.waitFor({ state: "hidden" });
  expect(await drawer.isVisible()).toBe(false);
  expectQuiet();
  await close();
});

test("a theme that was chosen stays", async () => {
  const { page, open, expectQuiet, close } = await desk.visitor(["viewer"]);
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
