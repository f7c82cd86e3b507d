/** The bytes that a browser receives before its user does anything, and the files it waits for. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

const BYTES_MAX = 200_000;
const APPROVAL_BYTES_MAX = 260_000;
/** Requests that follow the page within this time belong to its first load. */
const LATE_MS = 2_000;

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

test("transfers at most 200 kB for Home, until the user touches it", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  const network = await page.context().newCDPSession(page);
  let bytes = 0;
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await network.send("Network.enable");
  await open("/");
  await page.waitForTimeout(LATE_MS);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);

  const untouched = bytes;
  await page.mouse.move(10, 10);
  await expect.poll(() => bytes, { timeout: 10_000 }).toBeGreaterThan(untouched);
  expectQuiet();
  await close();
});

test("loads all scripts of the approval page with the HTML", async () => {
  const { id } = await app.batch([{ amount: "62.00" }]);
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  const network = await page.context().newCDPSession(page);
  const lateFiles: string[] = [];
  /** Address of each request. A repeated question about the batch is no part of the load. */
  const addresses = new Map<string, string>();
  const loaded = new Map<string, number>();
  network.on("Network.requestWillBeSent", ({ requestId, request, initiator }) => {
    addresses.set(requestId, request.url);
    const { pathname } = new URL(request.url);
    if (initiator.type === "script" && pathname.startsWith("/assets/")) lateFiles.push(pathname);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId) ?? requestId;
    if (!loaded.has(address)) loaded.set(address, encodedDataLength);
  });
  await network.send("Network.enable");
  await open(`/batches/${id}/approval`);
  await page.waitForTimeout(LATE_MS);
  expect(lateFiles).toEqual([]);
  const bytes = loaded.values().reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(APPROVAL_BYTES_MAX);
  expectQuiet();
  await close();
});

test("requests the data of a page once, together with its files", async () => {
  const { id } = await app.batch([{ amount: "61.00" }]);
  const { page, open, expectQuiet, close } = await app.visitor(["approver"]);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(`/batches/${id}/approval`);
  const sheet = `/api/batches/${id}/approval`;
  const api = asked.filter((path) => path.startsWith("/api/"));
  expect(api.slice(0, 4)).toEqual(["/api/session", "/api/frame", sheet, `/api/batches/${id}`]);
  expect(api.filter((path) => path === "/api/session" || path === sheet)).toHaveLength(2);
  expectQuiet();
  await close();
});

test("applies the styles of a component after those of the frame", async () => {
  const { page, open, expectQuiet, close } = await app.visitor(["operator"]);
  await open("/operations");
  // The styles of tabs load late. Those of a button in the frame would remove their padding.
  const box = await page.getByRole("tab", { name: "Lanes" }).boundingBox();
  expect(box?.height).toBeGreaterThan(30);
  const links = page.locator('link[rel="stylesheet"][href*="/assets/"]');
  expect(await links.first().getAttribute("media")).toBe("all");
  expectQuiet();
  await close();
});
