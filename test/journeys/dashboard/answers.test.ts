/**
 * A response lost on its way, in a real browser: the page never claims that a completed action was
 * not done.
 */
import type { Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tickFindings } from "../../support/dashboard/acknowledge.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 300 });
});
afterAll(() => app.close());

/** The server completes the action; this is what its response becomes. */
const LOSSES: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  "breaks off": async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).slice(0, 10) });
  },
  "is replaced by that of a proxy": async (route) => {
    await route.fetch();
    await route.fulfill({ status: 504, contentType: "text/html", body: "<h1>Timeout</h1>" });
  },
  "does not come": async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  },
};

for (const [what, lose] of Object.entries(LOSSES)) {
  test(`says that an approval may have been recorded, and never that it was not, when the answer ${what}`, async () => {
    const batch = await app.batch([{ amount: "46.00" }]);
    const visitor = await app.visitor(["approver"]);
    await app.payrun.database
      .updateTable("sessions")
      .set({ stepped_up_until: new Date(Date.now() + 600_000) })
      .execute();
    const { page } = visitor;
    await visitor.open(`/batches/${batch.id}/approval`);
    await tickFindings(page);
    await page.getByLabel("Total in INR").fill("46.00");
    // No new event arrives, so the message about the response is the only information.
    await page.route(/\/api\/batches\/[^/]+$|\/api\/batches\/[^/]+\/approval$/, (route) =>
      route.abort(),
    );
    await page.route("**/approve", lose);
    await page.getByRole("button", { name: "Approve and send 1 payout" }).click();
    const alert = page.getByRole("form", { name: "Approve this batch" }).getByRole("alert");
    await alert.getByText("No response: your action may have gone through").waitFor();
    expect(await alert.innerText()).not.toMatch(/not harmed|nothing was sent/i);
    await eventually("it is paid", async () => {
      const found = await app.payrun.ledger.payout.findBatch({ id: batch.id });
      return found?.state === "finished";
    });
    visitor.expectQuiet(/ERR_FAILED|ERR_CONNECTION_RESET|504/);
    await visitor.close();
  });
}

test("refuses a request immediately while offline, and does not repeat it after reconnecting", async () => {
  const batch = await app.batch([{ amount: "47.00" }]);
  const visitor = await app.visitor(["approver"]);
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  await tickFindings(page);
  await page.getByLabel("Total in INR").fill("47.00");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(request.url());
  });
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Approve and send 1 payout" }).click();
  await page.getByRole("form", { name: "Approve this batch" }).getByRole("alert").waitFor();
  const sentOffline = sent.length;
  await page.context().setOffline(false);
  await page.waitForResponse(/\/api\//); // the page is connected again
  await page.waitForTimeout(1_000);
  expect(sent.slice(sentOffline)).toEqual([]);
  const found = await app.payrun.ledger.payout.findBatch({ id: batch.id });
  expect(found?.state).toBe("awaiting_approval");
  visitor.expectQuiet(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await visitor.close();
});

/** The dashboard does not repeat a request within this time. */
const FRESH_MS = 5_000;

test("asks only whether a page has changed when the user returns to it", async () => {
  const visitor = await app.visitor(["viewer"]);
  const { page } = visitor;
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/api/schedules") statuses.push(response.status());
  });
  const goTo = (name: string) =>
    page.getByRole("navigation").getByRole("link", { name }).first().click();
  const empty = page.getByText("There are no schedules yet.").first();
  await visitor.open("/schedules");
  await empty.waitFor();
  await goTo("Batches");
  await page.waitForTimeout(FRESH_MS + 100);
  await goTo("Schedules");
  await eventually("the server confirms that nothing changed", async () => statuses.length > 1);
  expect(statuses).toEqual([200, 304]);
  await empty.waitFor();
  visitor.expectQuiet();
  await visitor.close();
});
