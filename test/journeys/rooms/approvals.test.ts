/** Approvals in a real browser: keyboard only, and neither own batches nor changed content. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { tickFindings } from "../../support/dashboard/acknowledge.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { expectAccessible } from "../../support/dashboard/browser.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard({ settleMs: 300 });
});
afterAll(() => app.close());

const proven = () =>
  app.payrun.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 600_000) })
    .execute();
const stateOf = async (id: string) => (await app.payrun.ledger.payout.findBatch({ id }))?.state;

test("I7 shows why a user's own batch has no approve button, and refuses it in the server and the ledger", async () => {
  const visitor = await app.visitor(["uploader", "approver"]);
  await proven();
  const maker = `user:${visitor.userId}`;
  const { batch } = await ingestFile(app.payrun.ledger, fileText(rowsOf(2)), maker);
  await sendForApproval(app.payrun.database, batch);

  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  await page
    .getByText("You uploaded or edited this batch: another person must approve it.")
    .waitFor();
  const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current]");
  expect(await current.allInnerTexts()).toEqual([expect.stringMatching(/^Approvals/)]);
  expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);

  const [status, code] = await page.evaluate<[number, string]>(`(async () => {
    const session = await (await fetch("/api/session")).json();
    const answer = await fetch("/api/batches/${batch.id}/approve", {
      method: "POST",
      headers: { "content-type": "application/json", "x-payrun-csrf": session.csrf_token },
      body: JSON.stringify({
        content_digest: "${batch.contentDigest}",
        totals: [{ currency: "INR", amount: "200.00" }],
      }),
    });
    return [answer.status, (await answer.json()).code];
  })()`);
  expect([status, code]).toEqual([403, "own_batch"]);

  const row = {
    batch_id: batch.id,
    user_id: visitor.userId,
    content_digest: batch.contentDigest,
    totals: "{}",
    expires_at: new Date(Date.now() + 60_000),
  };
  const insert = app.payrun.database.insertInto("approvals").values(row).execute();
  await expect(insert).rejects.toThrow("has made or edited");
  visitor.expectQuiet(/403/);
  await visitor.close();
});

test("does not approve content that changed after the page was opened, and reviews it again", async () => {
  const batch = await app.batch(rowsOf(2));
  const visitor = await app.visitor(["approver"]);
  await proven();
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  await app.payrun.database
    .updateTable("batches")
    .set({ content_digest: "edited" })
    .where("id", "=", batch.id)
    .execute();
  await tickFindings(page);
  await page.getByLabel("Total in INR").fill("200.00");
  await page.getByRole("button", { name: "Approve and send 2 payouts" }).click();
  await page.getByText("The batch has changed since you opened it. Review it again.").waitFor();
  expect(await stateOf(batch.id)).toBe("awaiting_approval");
  visitor.expectQuiet(/409/);
  await visitor.close();
});

test("shows the current state when another approver was faster, and asks for nothing", async () => {
  const [approved, back] = [await app.batch([{ amount: "37.50" }]), await app.batch(rowsOf(1))];
  const slow = await app.visitor(["approver"]);
  const quick = await app.visitor(["approver"]);
  const uploader = await app.visitor(["uploader"]);
  await proven();
  const approve = slow.page.getByRole("button", { name: /^Approve/ });

  // The page has not received the event when the button is pressed.
  const own = `**/api/batches/${approved.id}`;
  await slow.page.route(own, () => {});
  await slow.open(`/batches/${approved.id}/approval`);
  await quick.open(`/batches/${approved.id}/approval`);
  for (const { page } of [quick, slow]) {
    await tickFindings(page);
    await page.getByLabel("Total in INR").fill("37.50");
    await page.getByRole("button", { name: "Approve and send 1 payout" }).click();
    if (page === quick.page) await page.getByText("finished").waitFor();
  }
  await slow.page.unroute(own);
  const told = slow.page.getByRole("alert").filter({ hasText: "Approval not recorded" });
  await told.getByText(/^Approved by /).waitFor();
  await slow.page.getByRole("heading", { level: 1, name: "Approval of test.csv" }).waitFor();
  expect(await approve.count()).toBe(0);
  expect(await slow.page.getByText("Sent immediately after approval").count()).toBe(0);

  await slow.open(`/batches/${back.id}/approval`);
  await quick.open(`/batches/${back.id}/approval`);
  await tickFindings(slow.page);
  await approve.waitFor();
  await quick.page.getByRole("button", { name: "Send back" }).click();
  await quick.page.getByLabel("Reason").fill("the wrong month");
  await quick.page.getByRole("dialog").getByRole("button", { name: "Send back" }).click();
  await slow.page.getByText(/^Sent back by .*: “the wrong month”$/).waitFor();
  expect(await approve.count()).toBe(0);

  await uploader.open(`/batches/${back.id}`);
  await uploader.page.getByText("Sent back: “the wrong month”.").waitFor();
  await uploader.open(`/batches/${back.id}/file`);
  await uploader.page.getByText(/^Sent back by .*: “the wrong month”$/).waitFor();
  await uploader.page.getByRole("heading", { name: "Send for approval again" }).waitFor();
  expect(await uploader.page.getByText("No problems found").count()).toBe(0);
  await uploader.open("/batches?state=needs_correction");
  await uploader.page.getByRole("cell", { name: "sent back" }).waitFor();
  slow.expectQuiet(/409/);
  for (const visitor of [slow, quick, uploader]) await visitor.close();
});

test("approves a batch on a phone with the keyboard only, and follows it to the end", async () => {
  const batch = await app.batch([{ amount: "1250.50" }, { amount: "80.00" }]);
  const visitor = await app.visitor(["approver"], { width: 360, height: 740 });
  await proven();
  const { page } = visitor;
  await visitor.open("/approvals");
  const focused = (text: RegExp) =>
    eventually(`the focus on ${String(text)}`, async () => {
      await page.keyboard.press("Tab");
      const name = await page.evaluate<string>(
        "document.activeElement.getAttribute('href') ?? (document.activeElement.labels?.[0] ?? document.activeElement).textContent",
      );
      return text.test(name);
    });
  await focused(new RegExp(`/${batch.id}/approval$`));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Approve test.csv?" }).waitFor();
  // The name has other accounts in the batches of the other tests.
  const boxes = await page.locator("input[data-acknowledge]").count();
  expect(boxes).toBeGreaterThan(0);
  for (let box = 0; box < boxes; box++) {
    await focused(/^Checked$/);
    await page.keyboard.press("Space");
  }
  await focused(/^Approve…/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Total in INR").waitFor();
  await focused(/^Total in INR/);
  await page.keyboard.type("13305,0");
  await page.keyboard.press("Enter");
  await page.getByText("Enter 13305.0, with a decimal point.").waitFor();
  expect(await stateOf(batch.id)).toBe("awaiting_approval");
  // A wrong total is said once, next to its field, and before any request.
  await page.getByLabel("Total in INR").selectText();
  await page.keyboard.type("1,330.60");
  await page.keyboard.press("Enter");
  await page.getByText("This total differs from the total of the batch.").waitFor();
  expect(await page.getByText(/Support code|Some fields are invalid/).count()).toBe(0);
  expect(await stateOf(batch.id)).toBe("awaiting_approval");
  await page.getByLabel("Total in INR").selectText();
  await page.keyboard.type("1,330.50");
  await focused(/^Approve and send 2 payouts$/);
  await page.keyboard.press("Enter");

  await page.getByText(/^Balanced: /).waitFor();
  await page.getByText("finished").waitFor();
  expect(await stateOf(batch.id)).toBe("finished");
  visitor.expectQuiet();
  await visitor.close();
});

test("I3 balances a running batch at every moment, and pauses and resumes it with a reason", async () => {
  const operator = await app.visitor(["operator"]);
  // Otherwise the batch may finish before the operator pauses it.
  await app.gateway.setFaults([{ fault: "slow", delay_ms: 3_000 }]);
  const batch = await app.batch(rowsOf(1_200), "approved");
  const { page } = operator;
  await operator.open(`/batches/${batch.id}`);
  const samples: string[] = [];
  const look = async () => {
    samples.push((await page.getByText(/^(?:Balanced|Not balanced): /).textContent()) ?? "");
  };
  await look();
  const act = async (name: string, reason: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill(reason);
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await act("Pause", "the bank called");
  await page.getByText("Paused: “the bank called”.").waitFor();
  expect(await stateOf(batch.id)).toBe("paused");
  await look();
  await app.gateway.setFaults([]);
  await act("Resume", "it was nothing");
  await eventually("the end", async () => {
    await look();
    return (await stateOf(batch.id)) === "finished";
  });
  await page.getByText("finished").waitFor();
  await look();
  expect(samples.every((sample) => sample.startsWith("Balanced: "))).toBe(true);
  operator.expectQuiet();
  await operator.close();
});

test("lets an operator reschedule an approved batch that waits, and an approver send it now", async () => {
  const batch = await app.batch([{ amount: "45.00" }]);
  const visitor = await app.visitor(["approver", "operator"], { width: 360, height: 740 });
  await proven();
  const { page } = visitor;
  await visitor.open(`/batches/${batch.id}/approval`);
  await tickFindings(page);
  await page.getByRole("button", { name: "Approve…" }).click();
  await page.getByText("Schedule", { exact: true }).click();
  await page.getByRole("button", { name: /^Last working day of the month/ }).click();
  await page.getByLabel("Date").fill("2099-12-31");
  await page.getByRole("combobox", { name: "Time zone" }).click();
  await page.keyboard.type("kolk");
  await page.keyboard.press("Tab");
  await page
    .getByText("payrun will check the rows again at 2099-12-31 09:00 Asia/Kolkata")
    .waitFor();
  await tickFindings(page);
  await page.getByLabel("Total in INR").fill("45.00");
  await page.getByRole("button", { name: "Approve and schedule 1 payout" }).click();

  await page.getByText("2099-12-31 09:00 Asia/Kolkata").waitFor();
  const dialog = page.getByRole("dialog");
  const because = async (verb: string) => {
    await dialog.getByLabel("Reason").fill("the bank asked for this");
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await page.getByRole("button", { name: "Reschedule", exact: true }).click();
  await page.getByLabel("Date").fill("2099-12-30");
  await page.getByText("Choose a time after the scheduled time").waitFor();
  expect(await page.getByRole("button", { name: /^Reschedule to/ }).count()).toBe(0);
  await page.getByLabel("Date").fill("2100-01-04");
  await page.getByRole("button", { name: "Reschedule to 2100-01-04 09:00 Asia/Kolkata" }).click();
  await because("Reschedule");
  await page.getByText("2100-01-04 09:00 Asia/Kolkata").first().waitFor();
  await page.getByText("1 payout, not sent yet").waitFor();
  expect(await stateOf(batch.id)).toBe("approved");
  await page.getByRole("button", { name: "Send now", exact: true }).click();
  await because("Send now");
  await page.getByText("finished").waitFor();
  expect(await stateOf(batch.id)).toBe("finished");
  visitor.expectQuiet();
  await visitor.close();
});

test("approves a batch with exact duplicates after one person gives a reason and another agrees", async () => {
  const row = { account: "90300000001", amount: "31.00" };
  const first = await app.batch([row], "approved");
  const batch = await app.batch([row]);
  const checker = await app.visitor(["approver"]);
  const uploader = await app.visitor(["uploader"], { theme: "dark" });
  await proven();
  await checker.open(`/batches/${batch.id}/approval`);
  const refused = "The batch contains exact duplicates that have not been allowed.";
  await checker.page.getByText(refused).waitFor();
  await checker.page.getByRole("link", { name: `Open ${first.id}` }).waitFor();
  expect(await checker.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);

  await uploader.open(`/batches/${batch.id}/approval`);
  const say = uploader.page.getByRole("button", { name: "Give a reason" });
  await say.waitFor();
  await expectAccessible(uploader.page, "exact duplicates");
  await say.click();
  const dialog = uploader.page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("a second shift");
  await dialog.getByRole("button", { name: "Allow duplicates" }).click();
  await uploader.page.getByText("Exact duplicates, reason given").waitFor();

  await checker.open(`/batches/${batch.id}/approval`);
  await checker.page.getByText(/: a second shift$/).waitFor();
  await tickFindings(checker.page);
  await checker.page.getByLabel("Total in INR").fill("31.00");
  await checker.page.getByRole("button", { name: "Approve and send 1 payout" }).click();
  await eventually("the end", async () => (await stateOf(batch.id)) === "finished");
  for (const visitor of [checker, uploader]) {
    visitor.expectQuiet();
    await visitor.close();
  }
});
