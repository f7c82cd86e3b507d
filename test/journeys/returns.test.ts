/** A settled payout is returned: it is shown, and retried only after a person has confirmed it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../support/dashboard/open-dashboard.ts";
import { eventually } from "../support/servers/eventually.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1, faults: [{ fault: "code_121", code: "REFUSED*" }] });
});
afterAll(() => app.close());

/** The provider returns the money, on the simulator's page for its operators. */
async function returnMoney(code: string): Promise<void> {
  const [line] = (await app.gateway.log()).filter((each) => each.transaction_code === code);
  const form = new URLSearchParams({ merchant: line?.merchant ?? "", code, action: "return" });
  const address = `${app.gateway.url}/operator`;
  const answer = await fetch(address, { method: "POST", body: form, redirect: "manual" });
  expect(answer.status).toBe(303);
}

test("shows a return once it is confirmed, and retries the payout with its confirmed total", async () => {
  const { id } = await app.batch([{ code: "BACK-1" }, { code: "KEPT-1" }], "approved");
  const { ledger } = app.payrun;
  const stateOf = async (code: string) => (await ledger.payout.findStatusQuery(code))?.state;
  const batchState = async () => (await ledger.payout.findBatch({ id }))?.state;
  await eventually("both have settled", async () => (await batchState()) === "finished");
  await returnMoney("BACK-1");

  const viewer = await app.visitor(["viewer"]);
  await viewer.open("/payouts/BACK-1");
  await viewer.page.getByText("Yes. The gateway reports the payout as completed.").waitFor();
  await viewer.page.getByLabel("Comment", { exact: true }).fill("Seen on the statement");
  await viewer.page.getByRole("button", { name: "Add comment" }).click();
  await viewer.page.getByText("Seen on the statement").waitFor();
  // The history does not repeat the comment, and lists nothing that a viewer cannot do.
  await viewer.open("/payouts/BACK-1");
  await viewer.page.getByText("Seen on the statement").waitFor();
  expect(await viewer.page.getByText("comment", { exact: true }).count()).toBe(0);
  for (const name of ["Query status", "Add note"])
    expect(await viewer.page.getByText(name).count()).toBe(0);
  expect(await viewer.page.getByRole("heading", { name: "Actions" }).count()).toBe(0);
  viewer.expectQuiet();

  const operator = await app.visitor(["operator", "uploader"]);
  const { page } = operator;
  await operator.open("/payouts/BACK-1");
  await page.getByRole("button", { name: "Query status" }).click();
  await page.getByText("Possibly no longer.").waitFor();
  await eventually("it is returned", async () => (await stateOf("BACK-1")) === "returned");
  await page.getByText("was later returned, according to the gateway").waitFor();
  // The next step is part of the answer.
  const answer = page.getByRole("status").filter({ hasText: "Has money moved?" });
  await answer.getByRole("link", { name: "Retry" }).waitFor();
  await answer.getByRole("button", { name: "Query status" }).waitFor();
  expect(await stateOf("KEPT-1")).toBe("settled");

  await operator.open(`/batches/${id}`);
  await page.getByText("Returned but not retried: 1 payout").waitFor();
  await page.getByRole("link", { name: "Retry payouts" }).click();
  await page.getByLabel("The money is back. Retry 1 payout").check();
  await page.getByLabel("Reason for retrying").fill("the bank confirmed the return");
  await page.getByRole("button", { name: "Send 1 payout for approval" }).click();
  await page.getByText("Sent for approval.").first().waitFor();
  await page.getByText("This batch retries").waitFor();
  operator.expectQuiet();
});

test("updates the rows of a batch with its amounts", async () => {
  const { id } = await app.batch([{ code: "BACK-9" }, { code: "REFUSED-9" }], "approved");
  const { ledger } = app.payrun;
  const batchState = async () => (await ledger.payout.findBatch({ id }))?.state;
  await eventually(
    "it has finished",
    async () => (await batchState()) === "finished_with_exceptions",
  );
  const viewer = await app.visitor(["viewer"]);
  await viewer.open(`/batches/${id}`);
  // The list shows no codes.
  const rows = viewer.page.getByRole("row");
  await rows.getByText("settled", { exact: true }).waitFor();

  // The state of the batch stays the same.
  await returnMoney("BACK-9");
  const operator = await app.visitor(["operator"]);
  await operator.open("/payouts/BACK-9");
  await operator.page.getByRole("button", { name: "Query status" }).click();
  await rows.getByText("returned", { exact: true }).waitFor();
  expect(await batchState()).toBe("finished_with_exceptions");
});
