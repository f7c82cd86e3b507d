/** Archives and retention rules in a real browser, with two admins. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openArchive } from "#integrity/archive/read.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { detachArchive, restoreArchive } from "#ledger/integrity/archive/work-archive.ts";
import { setPassword } from "#ledger/people/users.ts";
import { expectAccessible, expectNoHorizontalScroll } from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { eventually } from "../../support/servers/eventually.ts";

let app: OpenDashboard;
const folder = mkdtempSync(join(tmpdir(), "payrun-archives-"));
beforeAll(async () => {
  app = await openDashboard({ settleMs: 1 });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function admins() {
  const { database } = app.payrun;
  const pair = [
    await app.visitor(["admin", "operator"]),
    await app.visitor(["admin"], { width: 360, height: 740 }),
  ] as const;
  for (const { userId } of pair) await setPassword(database, userId, "$argon2id$");
  const stepped_up_until = new Date(Date.now() + 600_000);
  await database.updateTable("sessions").set({ stepped_up_until }).execute();
  return pair;
}

test("moves finished payouts to a file after two admins have agreed, and restores them", async () => {
  const { id } = await app.batch([{ code: "OLD-1" }, { code: "OLD-2" }], "approved");
  const { ledger, database, deps } = app.payrun;
  const { sealer } = app.payrun;
  const isFinished = async () => (await ledger.payout.findBatch({ id }))?.state === "finished";
  await eventually("the batch has finished", isFinished);
  const until = new Date(Date.now() + 86_400_000);
  const own = { database, sealer, clock: deps.clock };
  await eventually("its events are published", async () => {
    const run = await createArchives({ folder, until, actor: "cli:root" }, own);
    return run?.created.length === 1;
  });
  const [name = ""] = readdirSync(folder);
  const [ada, ben] = await admins();

  await ada.open("/settings/archives");
  await ada.page.getByRole("button", { name: `Propose removal of the rows in ${name}` }).click();
  await ada.page.getByText("in the ledger, removal proposed").waitFor();
  expect(await ada.page.getByRole("button", { name: /Propose removal/ }).count()).toBe(0);
  await ben.open("/settings/archives");
  await expectNoHorizontalScroll(ben.page, "the archives");
  await expectAccessible(ben.page, "the archives");
  await ben.page.getByText(/^Remove the rows of archive/).waitFor();
  await ben.page.getByRole("button", { name: "Confirm" }).click();
  await ada.open("/settings/archives");
  await ada.page.getByText("in the ledger, ready to be removed").waitFor();

  const archive = await openArchive(join(folder, name), sealer.publicKeys());
  await detachArchive(archive, { actor: "cli:root" }, own);
  await ada.open("/settings/archives");
  await ada.page.getByText("only in the file").waitFor();
  await ada.open(`/batches/${id}`);
  await ada.page.getByText("2 payouts archived").waitFor();
  await ada.open("/payouts/OLD-1");
  await ada.page.getByText(`are in the archive file ${name}`).waitFor();
  expect(await ada.page.getByText("Callback URL").count()).toBe(0);
  expect(await ledger.integrity.verify()).toBeNull();

  await restoreArchive(archive, { actor: "cli:root" }, own);
  await archive.close();
  await ada.open("/payouts/OLD-2");
  await ada.page.getByText("Asha Rao").first().waitFor();
  ada.expectQuiet();
});

test("sets retention rules, and lets another admin confirm one that deletes", async () => {
  const [ada, ben] = await admins();
  await ada.open("/settings/retention");
  await ada.page.getByLabel("Keep details of payouts at least").fill("3650");
  await ada.page.getByRole("button", { name: "Save rules" }).click();
  await ada.page.getByText("Rules saved.").waitFor();
  await ada.page.getByLabel("Delete ended sessions after").fill("365");
  await ada.page.getByRole("button", { name: "Save rules" }).click();
  await ben.open("/settings/retention");
  await expectNoHorizontalScroll(ben.page, "the retention rules");
  await expectAccessible(ben.page, "the retention rules");
  await ben.page.getByText("ended sessions of users: 365 days").waitFor();
  await ben.page.getByRole("button", { name: "Confirm" }).click();
  const { database } = app.payrun;
  const daysOf = async () =>
    (await database.selectFrom("retention_rules").selectAll().execute()).find(
      ({ kind }) => kind === "sessions",
    )?.days;
  await eventually("the rule is in force", async () => (await daysOf()) !== undefined);
  expect(await daysOf()).toBe(365);
  ada.expectQuiet(/409/);
});
