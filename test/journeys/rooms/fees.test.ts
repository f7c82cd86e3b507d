/** Fees that the gateway reports, on the pages of a batch and of a payout. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { eventually } from "../../support/servers/eventually.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({
    fee: "1",
    settleMs: 1,
    faults: [{ fault: "status_odd_fee", code: "ODD-1" }],
  });
});
afterAll(() => app.close());

test("shows the fee of a payout, one that cannot be read, and the total of the batch", async () => {
  const rows = [{ code: "FEE-1", amount: "150.00" }, { code: "FEE-2" }, { code: "ODD-1" }];
  const { id } = await app.batch(rows, "approved");
  const isFinished = async () => {
    const batch = await app.payrun.ledger.payout.findBatch({ id });
    return batch?.state === "finished";
  };
  await eventually("every payout has settled", isFinished);
  const viewer = await app.visitor(["viewer"]);
  await viewer.open(`/batches/${id}`);
  const amounts = viewer.page.getByRole("region", { name: "Approved amount by state" }).first();
  await amounts.getByRole("columnheader", { name: "Fees" }).waitFor();
  await amounts.getByRole("cell", { name: "2.50", exact: true }).waitFor();
  await viewer.open("/payouts/FEE-1");
  const fact = viewer.page.getByText("Gateway fee").locator("xpath=..");
  expect(await fact.textContent()).toContain("1.50");
  await viewer.open("/payouts/ODD-1");
  await viewer.page.getByText("(the last report cannot be read: 1%)").waitFor();
  viewer.expectQuiet();
});
