/** Warnings that an approver must see: a batch in quarantine, and the callback URLes of a file. */
import { Readable } from "node:stream";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "#flows/intake/ingest.ts";
import { expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { sendForApproval } from "../../support/ledger.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

const FILE = `user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,callback_url
U-1,INR,102.00,Asha Verma Krishnamurthy,50100012345672,HDFC0000001,HDFC,HDFC Bank,https://shop.example/callbacks/of/payments
`;

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({}, "simulated", { CALLBACK_HOSTS: "shop.example" });
});
afterAll(() => app.close());

test("shows the callback URL of a row and its mark without scrolling at 1440 px", async () => {
  const { ledger, keyring, rows, database } = app.payrun;
  const { userId } = await app.visitor(["uploader"]);
  const open = () => Readable.from([Buffer.from(FILE)]) as AsyncIterable<Uint8Array>;
  const upload = { fileName: "suppliers.csv", open, actor: `user:${userId}` };
  const taken = await ingest(upload, { ledger, keyring, rows });
  if (!taken.ok) throw new Error("the file was refused");
  const { batch } = taken.value;
  await sendForApproval(database, batch);
  const visitor = await app.visitor(["approver"], { width: 1440 });
  await visitor.open(`/batches/${batch.id}/approval`);
  await visitor.page.getByText("All rows with the fields sent to the gateway").click();
  const table = visitor.page.getByRole("region", {
    name: "Rows with the fields sent to the gateway",
  });
  const mark = await table.getByText("from the file").boundingBox();
  const box = await table.boundingBox();
  if (!mark || !box) throw new Error("the mark is not shown");
  expect(mark.x + mark.width).toBeLessThanOrEqual(box.x + box.width);
  await visitor.page.setViewportSize({ width: 360, height: 800 });
  await expectNoHorizontalScroll(visitor.page, "the approval sheet with all rows");
  visitor.expectQuiet();
});

test("shows the quarantine on every page of a quarantined batch", async () => {
  const { id } = await app.batch([{ amount: "100.00" }]);
  await sql`insert into quarantine (batch_id, cause, rows) values (${id}, 'frozen', 1)`.execute(
    app.payrun.database,
  );
  const visitor = await app.visitor(["operator", "approver"], { width: 360 });
  for (const path of [`/batches/${id}`, `/batches/${id}/approval`]) {
    await visitor.open(path);
    const main = visitor.page.getByRole("main");
    await main.getByText("in quarantine", { exact: true }).waitFor();
    expect(await main.innerText()).not.toContain("Validated. No payout");
    await expectNoHorizontalScroll(visitor.page, path);
  }
  await visitor.page.getByRole("button", { name: "Release from quarantine" }).click();
  await visitor.page.getByRole("dialog").waitFor();
  await expectNoHorizontalScroll(visitor.page, "the release from quarantine");
  visitor.expectQuiet();
});
