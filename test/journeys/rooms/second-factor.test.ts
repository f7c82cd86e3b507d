/** A role requires a second factor: from the setting to the invited approver who sets it up. */
import { readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invite } from "#flows/people/links.ts";
import {
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
} from "../../support/dashboard/browser.ts";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";
import { MINUTE_MS, PASSWORD } from "../../support/actions/people.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

test("lets an admin turn the policy on, and an invited approver set up the factor", async () => {
  const { database } = app.payrun;
  const admin = await app.visitor(["admin"], { width: 1440 });
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(Date.now() + 5 * MINUTE_MS), stepped_up_by: "password" })
    .where("user_id", "=", admin.userId)
    .execute();
  await admin.open("/settings/users");
  await admin.page.getByText("No role requires a second factor").waitFor();
  await expectAccessible(admin.page, "the policy, off");
  const policy = admin.page.getByRole("region", { name: "Second factor" });
  await policy.getByRole("checkbox", { name: "approver" }).check();
  await policy.getByRole("button", { name: "Save roles" }).click();
  await admin.page.getByText("No role requires a second factor").waitFor({ state: "detached" });

  const by = { email: "ben@example.test", name: "Ben", roles: ["approver"] } as const;
  const invited = await invite(by, "system", { ...app.payrun.deps, ...app.payrun });
  if (!invited.ok) throw new Error("not invited");
  const ben = await app.stranger({ width: 360, height: 740, theme: "dark" });
  await ben.open(`/invite#${invited.value.token.reveal()}`);
  await ben.page.getByLabel("New password").fill(PASSWORD);
  await ben.page.getByRole("button", { name: "Save and sign in" }).click();
  await heading(ben.page, "Turn on a second factor");
  await ben.page.getByText("Your approver role requires a second factor").waitFor();
  expect(await ben.page.getByRole("button", { name: "Skip for now" }).count()).toBe(0);
  await expectAccessible(ben.page, "the offer of a second factor, dark");
  await expectNoHorizontalScroll(ben.page, "the offer of a second factor");
  await ben.page.getByRole("button", { name: "Set up" }).click();
  const secret = (await ben.page.locator("form code").textContent()) ?? "";
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) });
  await ben.page.getByLabel("Code").fill(totp.generate());
  await ben.page.getByRole("button", { name: "Turn on" }).click();
  await ben.page.getByText("Save these recovery codes now").waitFor();
  const codes = await ben.page.getByRole("alert").getByRole("listitem").allInnerTexts();
  await ben.page.getByRole("button", { name: "Copy codes" }).waitFor();
  const downloading = ben.page.waitForEvent("download");
  await ben.page.getByRole("link", { name: "Download codes" }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file.trim().split("\n")).toEqual(codes);
  await ben.page.getByRole("button", { name: "Continue" }).click();
  await heading(ben.page, "Home");
  await ben.open("/profile");
  await ben.page.getByText("On. payrun asks for a code").waitFor();
  admin.expectQuiet();
  ben.expectQuiet();

  // A session that is too old for the setup leads to the sign-in and back.
  const cara = await app.visitor(["approver"], { width: 1440 });
  await database
    .updateTable("sessions")
    .set({ created_at: new Date(Date.now() - 16 * MINUTE_MS) })
    .where("user_id", "=", cara.userId)
    .execute();
  await cara.open("/");
  await expectContrast(cara.page, "the band, light");
  // Both the band and the first steps link to the setup.
  const setup = cara.page.getByRole("link", { name: "Set up a second factor" });
  await cara.page.getByRole("status").and(cara.page.locator("p")).filter({ has: setup }).waitFor();
  await setup.first().click();
  await heading(cara.page, "Your profile");
  await cara.page.getByRole("button", { name: "Turn on" }).click();
  await cara.page.getByRole("button", { name: "Sign in again" }).click();
  await heading(cara.page, "Sign in");
  expect(cara.page.url()).toContain("profile");
  cara.expectQuiet(/403/);
});
