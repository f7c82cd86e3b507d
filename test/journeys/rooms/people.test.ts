/**
 * From the first start to a second admin: links, roles, the second factor, and a session that ends
 * during use.
 */
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setupLink } from "#flows/people/links.ts";
import { insertUser, setPassword } from "#ledger/people/users.ts";
import {
  expectAccessible,
  expectNoHorizontalScroll,
  type Look,
} from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { MINUTE_MS, OTHER, PASSWORD } from "../../support/actions/people.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("covers the first start, an invitation, a second factor and a forced sign-out", async () => {
  const { database, ledger, deps } = app.payrun;
  const link = await setupLink("system", { ledger, clock: deps.clock });
  const admin = await app.stranger();
  await admin.open(`/setup#${link?.token.reveal()}`);
  await heading(admin.page, "Set up payrun");
  expect(admin.page.url()).not.toContain("#");
  await admin.page.getByLabel("Your name").fill("Ada");
  await admin.page.getByLabel("E-mail").fill("ada@example.test");
  const password = admin.page.getByLabel("New password");
  await password.fill("password12");
  await admin.page.getByText("5 more characters needed").waitFor();
  await password.fill("password12345678");
  await admin.page.getByRole("status").getByText("The password is easy to guess").waitFor();
  await admin.page.getByRole("button", { name: "Save and sign in" }).click();
  await admin.page.getByRole("status").getByText("easy to guess").waitFor({ state: "detached" });
  await admin.page.getByText("The password is easy to guess").waitFor();
  await password.fill(PASSWORD);
  await admin.page.getByText("The password is strong enough").waitFor();
  await admin.page.getByRole("button", { name: "Save and sign in" }).click();
  await heading(admin.page, "Turn on a second factor");
  await admin.page.getByRole("button", { name: "Skip for now" }).click();
  await heading(admin.page, "Home");

  // The password was entered a moment ago, so the invitation shows the link at once.
  await admin.page.getByRole("link", { name: "Settings" }).click();
  await heading(admin.page, "Users");
  await admin.page.getByRole("button", { name: "Invite user" }).click();
  await admin.page.getByRole("textbox", { name: "Name", exact: true }).fill("Ben");
  await admin.page.getByLabel("E-mail").fill("ben@example.test");
  await admin.page.getByRole("dialog").getByRole("checkbox", { name: "uploader" }).check();
  await admin.page.getByRole("button", { name: "Create invitation link" }).click();
  const invitation = await admin.page.getByText(/\/invite#/).textContent();
  await admin.page.getByRole("row", { name: /Ben.*valid until/ }).waitFor();
  admin.expectQuiet(/422|403/);

  const ben = await app.stranger();
  await ben.open(invitation?.slice(app.url.length) ?? "");
  await heading(ben.page, "Welcome to payrun");
  await ben.page.getByLabel("New password").fill(OTHER);
  await ben.page.getByRole("button", { name: "Save and sign in" }).click();
  await heading(ben.page, "Turn on a second factor");
  await ben.page.getByRole("button", { name: "Skip for now" }).click();
  await heading(ben.page, "Home");
  expect(await ben.page.getByRole("link", { name: "Settings" }).count()).toBe(0);

  // The second factor, calculated from the secret below the QR code.
  await ben.page.getByRole("button", { name: "Ben" }).click();
  await ben.page.getByRole("link", { name: "Your profile" }).click();
  await heading(ben.page, "Your profile");
  // Five minutes after the password was chosen, payrun asks for it again.
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: null })
    .where("user_id", "in", database.selectFrom("users").select("id").where("name", "=", "Ben"))
    .execute();
  await ben.page.getByRole("button", { name: "Turn on" }).click();
  const again = ben.page.getByRole("dialog", { name: /^Confirm: / });
  await again.getByLabel(/^Password/).fill(OTHER);
  await again.getByRole("button", { name: "Continue" }).click();
  const written = await ben.page.locator("code").first().textContent();
  const totp = new TOTP({ secret: Secret.fromBase32((written ?? "").replaceAll(" ", "")) });
  await ben.page.getByLabel("Code").fill(totp.generate());
  await ben.page.getByRole("button", { name: "Turn on" }).click();
  await ben.page.getByText("Save these recovery codes now").waitFor();
  const recovery = await ben.page.locator("li code").first().textContent();

  await admin.page.getByRole("button", { name: "More actions: Ben" }).click();
  await admin.page.getByRole("menuitem", { name: "Reset password" }).click();
  const reset = admin.page.getByRole("dialog", { name: "Reset the password of Ben" });
  await reset.getByRole("button", { name: "Create password link" }).waitFor();
  await admin.page.keyboard.press("Escape");

  // A role change ends the session: the next click leads to sign-in, and then back to the page.
  await admin.page.getByRole("button", { name: "Change roles: Ben" }).click();
  await admin.page.getByRole("dialog").getByRole("checkbox", { name: "approver" }).check();
  await admin.page.getByRole("button", { name: "Change roles", exact: true }).click();
  await admin.page.getByRole("row", { name: /Ben.*approver/ }).waitFor();
  await ben.page.reload();
  await heading(ben.page, "Sign in");
  await signIn(ben.page, "ben@example.test", OTHER);
  await ben.page.getByLabel("Code").fill(recovery ?? "");
  await ben.page.getByRole("button", { name: "Sign in" }).click();
  await heading(ben.page, "Your profile");

  // A session that ends while a page is open says so.
  await database
    .updateTable("sessions")
    .set({ ended_at: new Date() })
    .where("ended_at", "is", null)
    .execute();
  await admin.page.getByRole("link", { name: "API keys" }).click();
  await heading(admin.page, "Sign in");
  await admin.page.getByText("Your session has ended").waitFor();
  await signIn(admin.page, "ada@example.test", PASSWORD);
  await heading(admin.page, "API keys");
  // The browser keeps nothing for the next person at this machine, not even search terms (ASVS
  // 14.3.3).
  await admin.page.evaluate(() => sessionStorage.setItem("searches", "Asha"));
  await admin.page.getByRole("button", { name: "Ada" }).click();
  await admin.page.getByRole("button", { name: "Sign out" }).click();
  await heading(admin.page, "Sign in");
  expect(await admin.page.evaluate(() => sessionStorage.length)).toBe(0);
});

test("keeps a session alive by a key press, but not by a page's own polling", async () => {
  const { page, open, userId } = await app.visitor(["viewer"]);
  const own = app.payrun.database.updateTable("sessions").where("user_id", "=", userId);
  const seen = async (minutesAgo: number) => {
    const seen_at = new Date(Date.now() - minutesAgo * MINUTE_MS);
    await own.set({ seen_at }).execute();
  };
  await open("/batches");
  await seen(20);
  await page.keyboard.press("Tab");
  const ask = page.waitForRequest((request) => "x-payrun-input" in request.headers());
  await (await ask).response();
  await seen(31);
  await heading(page, "Sign in");
  expect(await page.getByText("Your session has ended").count()).toBe(1);
});

test("shows on an open page that its session has ended", async () => {
  const { page, open, userId } = await app.visitor(["viewer"]);
  await open("/");
  await app.payrun.database
    .updateTable("sessions")
    .set({ ended_at: new Date() })
    .where("user_id", "=", userId)
    .execute();
  await app.batch([{ amount: "1.00" }]);
  await heading(page, "Sign in");
  expect(await page.getByText("Your session has ended").count()).toBe(1);
});

test("requires an admin other than the proposer to confirm a new approver", async () => {
  const { database } = app.payrun;
  const proven = { stepped_up_until: new Date(Date.now() + 5 * MINUTE_MS) };
  const admin = async (look?: Look) => {
    const visitor = await app.visitor(["admin"], look);
    await setPassword(database, visitor.userId, "$argon2id$");
    const { userId } = visitor;
    await database.updateTable("sessions").set(proven).where("user_id", "=", userId).execute();
    return visitor;
  };
  const [one, other] = [await admin(), await admin({ width: 360, height: 740, theme: "dark" })];
  const nora = await insertUser(database, {
    email: "nora@example.test",
    name: "Nora",
    roles: ["viewer"],
    at: new Date(),
  });
  // An invited user has no button that changes roles.
  await setPassword(database, nora, "$argon2id$");
  await one.open("/settings/users");
  await one.page.getByRole("button", { name: "Change roles: Nora" }).click();
  await one.page.getByRole("dialog").getByRole("checkbox", { name: "approver" }).check();
  await one.page.getByRole("button", { name: "Change roles", exact: true }).click();
  await one.page.getByText("Not changed yet").waitFor();
  await one.page.getByRole("heading", { name: "1 pending change" }).waitFor();
  await one.page.getByText("Another admin must confirm the change").first().waitFor();
  expect(await one.page.getByRole("button", { name: /^Confirm/ }).count()).toBe(0);
  expect(await one.page.getByRole("row", { name: /Nora.*approver/ }).count()).toBe(0);
  await expectAccessible(one.page, "a change that waits, light");

  await other.open("/settings/users");
  const confirm = other.page.getByRole("button", {
    name: "Confirm: Change the roles of Nora to viewer, approver",
  });
  await confirm.waitFor();
  await expectAccessible(other.page, "a change that waits, dark");
  await expectNoHorizontalScroll(other.page, "a change that waits");
  await confirm.click();
  await other.page.getByRole("row", { name: /Nora.*approver/ }).waitFor();
  await other.page.getByText("1 pending change").waitFor({ state: "detached" });

  // The approval rules wait as well, and are withdrawn by their proposer.
  await other.open("/settings/approval-rules");
  await other.page.getByLabel("Approval validity (hours)").fill("5");
  await other.page.getByRole("button", { name: "Save rules" }).click();
  await other.page.getByText("Approvals are valid for 5 hours").waitFor();
  await other.page.getByRole("button", { name: /^Withdraw/ }).click();
  await other.page.getByText("Approvals are valid for 5 hours").waitFor({ state: "detached" });
  one.expectQuiet(/409/);
  other.expectQuiet(/409/);
});

test("shows when another user signed in in another tab, and does nothing in that user's name", async () => {
  const before = await app.visitor(["uploader"]);
  const since = await app.visitor(["uploader"]);
  const { name } = await app.payrun.database
    .updateTable("users")
    .set({ name: "Carla Since" })
    .where("id", "=", since.userId)
    .returning("name")
    .executeTakeFirstOrThrow();
  const { page } = before;
  await before.open("/upload");
  await page.getByLabel("Choose a file", { exact: true }).waitFor({ state: "attached" });
  await before.context.addCookies(await since.context.cookies());
  // The page checks the user on focus. Here it learns of the change by a refusal.
  const refused = page.waitForResponse((response) => response.status() === 403);
  await page.route("**/api/session", async (route) => {
    await refused;
    await route.continue();
  });
  const buffer = Buffer.from(fileText([{ amount: "63.00" }]));
  await page
    .getByLabel("Choose a file", { exact: true })
    .and(page.locator("input"))
    .setInputFiles({ name: "of-nobody.csv", mimeType: "text/csv", buffer });
  await page.getByText(`This browser is now signed in as ${name}.`).first().waitFor();
  await page.getByRole("button", { name }).waitFor();
  const batches = await app.payrun.database.selectFrom("batches").select("file_name").execute();
  expect(batches.map(({ file_name: name }) => name)).not.toContain("of-nobody.csv");
  before.expectQuiet(/403/);
  for (const visitor of [before, since]) await visitor.close();
});

test("says on a read-only page who can edit it", async () => {
  const { page, open, expectQuiet } = await app.visitor(["viewer"]);
  for (const [path, sentence] of [
    ["/upload", "Only uploaders can upload files"],
    ["/deposits/new", "Only uploaders can request deposits"],
  ] as const) {
    await open(path);
    await page.getByText(sentence).waitFor();
    expect(await page.locator("main").getByRole("textbox").count()).toBe(0);
  }
  expectQuiet();
});
