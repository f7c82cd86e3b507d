/** An answer that is lost on its way, in a real browser: nobody is told that what was done was not done. */
import type { Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openDesk, type OpenDesk } from "../support/open-desk.ts";

let desk: OpenDesk;
beforeAll(async () => {
  desk = await openDesk({ settleMs: 300 });
});
afterAll(() => desk.close());

/** The server does it; what its answer becomes. */
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
  test(`the answer to an approval ${what}: it may have been done, and nothing says that it was not`, async () => {
    const batch = await desk.batch([{ amount: "46.00" }]);
    const visitor = await desk.visitor(["approver"]);
    await desk.payrun.database
      .updateTable("sessions")
      .set({ stepped_up_until: new Date(Date.now() + 600_000) })
      .execute();
    const { page } = visitor;
    await visitor.open(`/batches/${batch.id}/approval`);
    await page.getByLabel("Total in INR").fill("46.00");
    // Nothing new comes in: what it says of the answer stands alone.
    await page.route(/\/api\/batches\/[^/]+$|\/api\/batches\/[^/]+\/approval$/, (route) =>
      route.abort(),
    );
    await page.route("**/approve", lose);
    await page.getByRole("button", { name: "Approve and send 1 payout" }).click();
    const alert = page.getByRole("form", { name: "Approve this batch" }).getByRole("alert");
    await alert.getByText("No answer: it may have been done").waitFor();
    expect(await alert.innerText()).not.toMatch(/not harmed|nothing was sent/i);
    await eventually("it is paid", async () => {
      const found = await desk.payrun.ledger.findBatch({ id: batch.id });
      return found?.state === "finished";
    });
    visitor.expectQuiet(/ERR_FAILED|ERR_CONNECTION_RESET|504/);
    await visitor.close();
  });
}

test("what is asked for while there is no connection is refused at once, and not done by itself when there is one", async () => {
  const batch = await desk.batch([{ amount: "47.00" }]);
  const visitor = await desk.visitor(["approver"]);
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
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
  const found = await desk.payrun.ledger.findBatch({ id: batch.id });
  expect(found?.state).toBe("awaiting_approval");
  visitor.expectQuiet(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await visitor.close();
});
