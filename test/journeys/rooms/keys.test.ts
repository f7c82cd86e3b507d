/** API keys of users who are not admins, and the changes of a lone admin. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setPassword } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import {
  expectAccessible,
  expectNoHorizontalScroll,
  type Look,
} from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { MINUTE_MS } from "../../support/actions/people.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

/** A user who has joined and has a fresh step-up. */
async function joined(role: Role, look?: Look) {
  const visitor = await app.visitor([role], look);
  const { database } = app.payrun;
  const proven = { stepped_up_until: new Date(Date.now() + 5 * MINUTE_MS) };
  await setPassword(database, visitor.userId, "$argon2id$");
  const { userId } = visitor;
  await database.updateTable("sessions").set(proven).where("user_id", "=", userId).execute();
  return visitor;
}
const NARROW: Look = { width: 360, height: 740, theme: "dark" };
const WIDE: Look = { width: 1440, height: 900, theme: "light" };

test("lets an operator create a key, which waits for an admin's confirmation", async () => {
  const operator = await joined("operator", NARROW);
  await operator.open("/");
  await operator.page.getByRole("button", { name: "operator", exact: true }).click();
  await operator.page.getByRole("link", { name: "Your API keys" }).click();
  await operator.page.getByRole("button", { name: "Create key" }).click();
  const dialog = operator.page.getByRole("dialog", { name: "Create key" });
  await dialog.getByLabel("Key name").fill("Night watch");
  expect(await dialog.getByRole("checkbox").count()).toBe(3); // read, operate, reveal
  await dialog.getByRole("checkbox", { name: "operate" }).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await operator.page
    .getByText("An admin other than the key's creator must confirm the key within three days")
    .waitFor();
  await operator.page
    .getByRole("row", { name: /Night watch.*awaiting confirmation by an admin/ })
    .waitFor();
  await expectAccessible(operator.page, "a key that waits, dark");
  await expectNoHorizontalScroll(operator.page, "a key that waits");

  const admin = await joined("admin", WIDE);
  await admin.open("/settings/keys");
  await admin.page.getByText("must confirm the key by").waitFor();
  await expectAccessible(admin.page, "a key to confirm, light");
  await admin.page.getByRole("button", { name: /^Confirm: API key Night watch/ }).click();
  await admin.page.getByRole("row", { name: /Night watch.*active/ }).waitFor();

  // With the role, the key loses the right.
  const { database } = app.payrun;
  const change = { roles: ["viewer" as const] };
  await database.updateTable("users").set(change).where("id", "=", operator.userId).execute();
  await admin.open("/settings/keys");
  await admin.page.getByText("Permissions lost: operate.").waitFor();
  await expectAccessible(admin.page, "a key that has lost a right");
  await admin.page.getByRole("link", { name: "Read the API documentation" }).click();
  await admin.page.waitForURL(/\/api\/docs/);
  admin.expectQuiet();
});

test("shows when a lone admin's change takes effect, and lets an approver reject it", async () => {
  await sql`update users set disabled_at = to_timestamp(0) where 'admin' = any (roles)`.execute(
    app.payrun.database,
  );
  const approver = await joined("approver", NARROW);
  const admin = await joined("admin", WIDE);
  await admin.open("/settings/approval-rules");
  await admin.page.getByText("You are the only admin who can sign in.").waitFor();
  await admin.page.getByLabel("Approval validity (hours)").fill("5");
  await admin.page.getByRole("button", { name: "Save rules" }).click();
  await admin.page.getByText("the change will take effect in 24 hours").waitFor();
  await admin.page.getByText("Approvals are valid for 5 hours").waitFor();
  await admin.page.getByText(/The change takes effect /).waitFor();
  expect(await admin.page.getByRole("button", { name: /^Apply change/ }).count()).toBe(0);
  await expectAccessible(admin.page, "the change of a lone admin, light");
  await expectNoHorizontalScroll(admin.page, "the change of a lone admin");

  // After 24 hours, the button says what it creates.
  await admin.page.route("**/api/pending-changes", async (route) => {
    // Without the tag of the kept answer, the server sends the changes themselves.
    const { "if-none-match": _, ...headers } = route.request().headers();
    const response = await route.fetch({ headers });
    const answer = (await response.json()) as { items: object[] };
    const items = answer.items.map((each) => ({ ...each, kind: "invite", may_confirm: true }));
    await route.fulfill({ response, json: { ...answer, items } });
  });
  await admin.page.reload();
  await admin.page.getByRole("button", { name: /^Create invitation link: / }).waitFor();
  await admin.page.unrouteAll({ behavior: "ignoreErrors" });

  await approver.open("/approvals");
  const reject = approver.page.getByRole("button", { name: /^Reject/ });
  await reject.waitFor();
  await expectAccessible(approver.page, "the change of a lone admin, dark");
  await expectNoHorizontalScroll(approver.page, "the change of a lone admin");
  await reject.click();
  await approver.page.getByText("Approvals are valid for 5 hours").waitFor({ state: "detached" });
  approver.expectQuiet();
  admin.expectQuiet(/409/);
});

test("rotates a key, and shows until when the old one works", async () => {
  const uploader = await joined("uploader", WIDE);
  const { page } = uploader;
  await uploader.open("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key name").fill("Payroll export");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Rotate: Payroll export" }).click();
  await dialog.getByLabel("The old key expires").selectOption("after 7 days");
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByRole("row", { name: /Payroll export.*replaced by a new key; works/ }).waitFor();
  expect(await page.getByRole("button", { name: "Rotate: Payroll export" }).count()).toBe(1);
  await expectAccessible(page, "rotated keys, light");
  uploader.expectQuiet();
});
