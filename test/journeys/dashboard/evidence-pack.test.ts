/** Evidence packs, downloaded from the pages of a payout and of a batch. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyPack } from "#integrity/evidence-pack/verify.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { eventually } from "../../support/servers/eventually.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1 });
});
afterAll(() => app.close());

test("downloads a pack of a settled payout and of its batch, which verify", async () => {
  const { id } = await app.batch([{ code: "PACK-1" }, { code: "PACK-2" }], "approved");
  await eventually("every payout has settled", async () => {
    const batch = await app.payrun.ledger.payout.findBatch({ id });
    return batch?.state === "finished";
  });
  const viewer = await app.visitor(["viewer"]);
  const key = app.payrun.sealer.publicKeys().at(-1) ?? "";
  for (const path of ["/payouts/PACK-1/evidence", `/batches/${id}?tab=files`]) {
    await viewer.open(path);
    await viewer.page.getByRole("button", { name: "Signed evidence pack (ZIP)…" }).click();
    const dialog = viewer.page.getByRole("dialog", { name: "Download the evidence pack" });
    await dialog.getByText("Beneficiaries in the pack: Masked.").waitFor();
    await dialog.getByText("payrun verify PACK --key KEY").waitFor();
    const download = viewer.page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    const { totals } = await verifyPack(await (await download).path(), { key });
    expect(totals).toMatchObject([{ outcome: "settled" }]);
  }
  viewer.expectQuiet();

  // A person who may see accounts chooses, and reads what leaves payrun. Masked is the default.
  const auditor = await app.visitor(["auditor"]);
  await auditor.open("/payouts/PACK-1/evidence");
  // The page answers before it proves.
  await auditor.page
    .locator("[data-proven]")
    .getByText("Yes. The gateway reports the payout as completed.")
    .waitFor();
  for (const [chosen, beneficiaries] of [
    [null, "masked"],
    ["In full", "in full"],
  ] as const) {
    await auditor.page.getByRole("button", { name: "Signed evidence pack (ZIP)…" }).click();
    const dialog = auditor.page.getByRole("dialog", { name: "Download the evidence pack" });
    await dialog.getByText("Full account numbers, names and references leave payrun.").waitFor();
    if (chosen !== null) await dialog.getByLabel(chosen).check();
    const download = auditor.page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    const { manifest } = await verifyPack(await (await download).path(), { key });
    expect(manifest.beneficiaries).toBe(beneficiaries);
  }
  auditor.expectQuiet();
});

test("folds long records on a phone, and prints them in full", async () => {
  await app.batch([{ code: "FOLD-1" }]);
  const { page, open, expectQuiet } = await app.visitor(["auditor"]);
  await page.setViewportSize({ width: 360, height: 740 });
  await open("/payouts/FOLD-1/evidence");
  const audit = page.getByRole("region", { name: "Audit log entries" });
  const hint = audit.getByText("Entries for this payout and its batch.");
  await audit.getByText(/^\d+ records?$/).waitFor();
  expect(await hint.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await hint.isVisible()).toBe(true);
  await page.emulateMedia({ media: "screen" });
  await audit.getByRole("heading").click();
  await hint.waitFor();
  expectQuiet();
});
