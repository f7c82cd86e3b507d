/** The API documentation in a real browser: from the link in the settings to one endpoint. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

test("leads from the settings over the search to an endpoint, and back by its address", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["uploader"]);
  await open("/settings/keys");
  await page.getByRole("link", { name: "API documentation" }).click();
  await page.getByRole("heading", { level: 1, name: "API documentation" }).waitFor();
  await page.getByRole("heading", { level: 2, name: "Quickstart" }).waitFor();
  const examples = page.getByRole("region", { name: "curl" });
  expect((await examples.allInnerTexts()).join("\n")).toContain(`${app.url}/api/batches`);
  await page.getByRole("region", { name: "TypeScript" }).waitFor();

  const contents = page.getByRole("navigation", { name: "API documentation" });
  await contents.getByRole("searchbox").fill("request approval");
  await contents.getByRole("link", { name: /POST \/batches\/\{id\}\/request-approval/ }).click();
  await page.getByRole("heading", { level: 1, name: "Sends a batch for approval" }).waitFor();
  expect(await examples.innerText()).toContain(`'${app.url}/api/batches/ID/request-approval'`);
  expect(new URL(page.url()).pathname).toBe("/api/docs/post_api_batches_id_request_approval");

  await contents.getByRole("searchbox").fill("own_batch");
  await contents.getByRole("link", { name: "own_batch" }).click();
  await page.getByRole("row", { name: /^own_batch 403/ }).waitFor();
  await contents.getByRole("searchbox").fill("nothing at all");
  await contents.getByText("No endpoint or error matches.").waitFor();

  await open("/api/docs/batches");
  await page.getByRole("heading", { level: 1, name: "Batches" }).waitFor();
  await open("/api/docs/nothing");
  await page.getByRole("link", { name: "Open the API documentation" }).waitFor();
  expectQuiet();
  await close();
});

test("opens the contents on a phone, and closes them with a chosen endpoint", async () => {
  const look = { width: 360, height: 740, theme: "dark" } as const;
  const { page, open, expectQuiet, close } = await app.visitor(["viewer"], look);
  await open("/api/docs");
  await page.getByText("Contents and search").click();
  const contents = page.getByRole("navigation", { name: "API documentation" });
  await contents.getByRole("searchbox").fill("breaks propose");
  await contents.getByRole("link", { name: /POST \/breaks\/\{id\}\/propose/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Proposes the resolution/ }).waitFor();
  await contents.waitFor({ state: "hidden" });
  await expectNoHorizontalScroll(page, "an endpoint");
  expect(new URL(page.url()).pathname).toBe("/api/docs/post_api_breaks_id_propose");
  expectQuiet();
  await close();
});
