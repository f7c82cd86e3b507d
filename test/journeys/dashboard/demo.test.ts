import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { hashPassword } from "#flows/people/password-hash.ts";
import { setPassword } from "#ledger/people/users.ts";
import { visit } from "../../support/dashboard/browser.ts";
import { builtDashboard } from "../../support/dashboard/built-dashboard.ts";
import { ROLE_NAMES } from "#people/roles.ts";
import { openDashboard } from "../../support/dashboard/open-dashboard.ts";
import {
  type Ended,
  type Running,
  runPayrun,
  scratch,
  startPayrun,
} from "../../support/servers/payrun.ts";

const LINK = /^ +(http:\S+\/enter#\S+)$/gm;

describe("npm run demo", () => {
  let demo: Running;
  let links: string[];
  // Settings of a real ledger next to it do not affect the demo.
  const real = { PAYMENT_CODE: "P1", AMOUNT_LIMITS: "INR=1", LEDGER_EPOCH: "9" };
  const env = { ...real, PAYRUN_DATA: scratch(), PORT: "0" };
  beforeAll(async () => {
    await builtDashboard();
    demo = startPayrun(["demo"], env);
    await demo.says(/Press Ctrl-C to stop it/);
    links = [...demo.said().matchAll(LINK)].map(([, link = ""]) => link);
  });
  afterAll(() => demo.end("SIGINT"));

  test("keeps its files from other users of the machine", () => {
    const folder = join(env.PAYRUN_DATA, "demo");
    const open = readdirSync(folder).filter((name) => {
      const { mode } = statSync(join(folder, name));
      return (mode & (name === "pg" ? 0o066 : 0o077)) !== 0;
    });
    expect(readdirSync(folder)).toContain("simulator-transactions.jsonl");
    expect(open).toEqual([]);
  });

  test("prints links for a maker, a checker and a second approver, who are signed in at once", async () => {
    expect(links).toHaveLength(3);
    expect(new Set(links.map((link) => new URL(link).hostname)).size).toBe(3);
    const [maker = "", checker = ""] = links;
    const { page, context, expectQuiet, close } = await visit(new URL(maker).origin, null);
    await page.goto(maker);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    expect(page.url()).not.toContain("password");
    const rail = await page.getByRole("navigation", { name: "Main" }).textContent();
    expect(rail).toContain("SANDBOX · simulated gateway: no real money moves");
    expect(rail).toContain("Priya Raman");
    await page.getByText("1 batch to correct").waitFor();

    const other = await context.newPage();
    await other.goto(checker);
    await other.getByText("1 batch to approve").waitFor();
    await page.reload();
    await page.getByText("1 batch to correct").waitFor();
    expectQuiet();
    await close();
  });

  test("shows its paid batch as finished with exceptions", async () => {
    const { page, close } = await visit(new URL(links[0] ?? "").origin, null);
    await page.goto(links[0] ?? "");
    await page.getByRole("link", { name: "Batches" }).first().click();
    const row = page.getByRole("row").filter({ hasText: /payroll/ });
    await row.getByText("finished with exceptions").waitFor();
    expect(await row.textContent()).toContain("38 settled2 declined");
    await close();
  });

  test("names every merchant account, also one without payouts", async () => {
    const { page, open, close } = await visit(new URL(links[1] ?? "").origin, null);
    await page.goto(links[1] ?? "");
    await page.getByRole("heading", { name: "Balances and reservations" }).waitFor();
    for (const path of ["/", "/operations?tab=lanes", "/payouts", "/schedules", "/reports"]) {
      await open(path);
      expect(await page.locator("body").innerText()).not.toMatch(/SKU\d+/);
    }
    const { items } = await (await page.request.get("/api/merchant-accounts")).json();
    expect(items.map(({ name }: { name: string | null }) => name)).not.toContain(null);
    await close();
  });

  test("has a finished business day whose break two people resolve before it is closed", async () => {
    const [, checker = "", approver = ""] = links;
    const operator = await visit(new URL(checker).origin, null);
    await operator.page.goto(checker);
    await operator.page.getByText("1 batch to approve").waitFor();
    await operator.open("/reconciliation/days");
    await operator.page.getByRole("button", { name: "Close day with 1 break" }).waitFor();
    await operator.page
      .locator('a[href^="/reconciliation/"]', { hasText: "Review 1 break" })
      .click();
    await operator.page.getByRole("heading", { level: 1, name: "Not in the ledger" }).waitFor();
    const explanation = "The back office tried this payout, and it failed";
    await operator.page.getByLabel("Explanation").fill(explanation);
    await operator.page.getByRole("button", { name: "Propose resolution" }).click();
    await operator.page.getByText("Another approver must confirm").first().waitFor();
    expect(await operator.page.getByLabel("Explanation").count()).toBe(0);
    await operator.page.getByRole("button", { name: "Replace this proposal" }).click();
    expect(await operator.page.getByLabel("Explanation").inputValue()).toBe(explanation);
    const address = new URL(operator.page.url()).pathname;

    const second = await visit(new URL(approver).origin, null);
    await second.page.goto(approver);
    await second.page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await second.open(address);
    await second.page.getByRole("button", { name: "Confirm" }).click();
    await second.page.getByText("Chen Wei proposed this resolution").waitFor();

    await operator.page.getByRole("link", { name: /^\d+ \w+( 20\d\d)?$/ }).click();
    await operator.page.waitForURL(/\/reconciliation\/days\/20/);
    await operator.open("/reconciliation/days");
    await operator.page.getByRole("button", { name: "Close day" }).click();
    await operator.page.getByRole("dialog").getByRole("button", { name: "Close day" }).click();
    await operator.page.getByRole("alert").getByText("Closed and agreed").waitFor();
    expect(await operator.page.getByText("Closed with a difference").count()).toBe(0);
    for (const visitor of [operator, second]) {
      visitor.expectQuiet();
      await visitor.close();
    }
  });

  test("accepts a webhook to a receiver on this machine", async () => {
    const { page, close } = await visit(new URL(links[0] ?? "").origin, null);
    await page.goto(links[0] ?? "");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    const body = { target: "http://127.0.0.1:9000/hook" };
    const session = await (await page.request.get("/api/session")).json();
    const headers = { "x-payrun-csrf": session.csrf_token };
    const answer = await page.request.post("/api/channels/check", { data: body, headers });
    expect(await answer.json()).toEqual({ why_not: null });
    await close();
  });

  test("writes settings with which commands of another terminal reach it", async () => {
    const settings = readFileSync(join(env.PAYRUN_DATA, "demo", "environment"), "utf8");
    const given = Object.fromEntries(
      [...settings.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(given).toMatchObject({ AMOUNT_LIMITS: "", PAYMENT_CODE: "" });
    const code = /(PR\w+) {2}KRW/.exec(demo.said())?.[1] ?? "";
    const { stdout, code: exit } = await runPayrun(["status", code], { ...env, ...given });
    expect([exit, stdout]).toEqual([0, expect.stringContaining("declined")]);
  });

  test("pays the same people again in a new batch when started again in its folder", async () => {
    const first = await demo.end("SIGINT");
    const second = await runPayrun(["demo", "--once"], env);
    const tableOf = ({ stdout }: Ended) => stdout.split("\n").slice(1);
    expect([second.code, tableOf(second)]).toEqual([0, tableOf(first)]);
    expect(tableOf(second)).toContainEqual(expect.stringMatching(/^all +40$/));
    expect(second.stdout.split("\n")[0]).not.toBe(first.stdout.split("\n")[0]);
  });
});

test("refuses sign-in by link if real money can move", async () => {
  const desk = await openDashboard({}, "live");
  const { database } = desk.payrun;
  const { userId } = await desk.visitor(["viewer"]);
  await setPassword(database, userId, await hashPassword("long enough to be one"));
  const { email } = await database
    .selectFrom("users")
    .select("email")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const stranger = await desk.stranger();
  await stranger.open("/login");
  await stranger.page.getByText("LIVE · real money").waitFor();
  const fragment = new URLSearchParams({ email, password: "long enough to be one" });
  await stranger.page.goto(`/enter#${fragment.toString()}`);
  await stranger.page.waitForURL((url) => url.pathname === "/login");
  const session = await stranger.page.request.get("/api/session");
  expect(await session.json()).toMatchObject({ person: null, environment: "live" });
  await desk.close();
});

test("says that no real money moves if the gateway proves that it is the simulator", async () => {
  // The address is not that of a sandbox, so only the answer of the gateway decides.
  const desk = await openDashboard({}, "sandbox", {
    GATEWAY_SANDBOX_URL: "https://sandbox.example",
  });
  const stranger = await desk.stranger();
  await stranger.open("/login");
  await stranger.page.getByText("SANDBOX · simulated gateway: no real money moves").waitFor();
  expect(await stranger.page.getByText("LIVE").count()).toBe(0);
  await desk.close();
});

test("says on every page, and before sign-in, that the gateway is a test gateway, and signs nobody in by a link", async () => {
  const desk = await openDashboard({}, "sandbox");
  const band = "SANDBOX · test gateway: no real money moves";
  const { page, open } = await desk.visitor(ROLE_NAMES, { width: 360 });
  const stranger = await desk.stranger();
  await stranger.open("/login");
  await stranger.page.getByText(band).waitFor();
  await stranger.page.goto("/enter#email=a%40example.test&password=x");
  await stranger.page.waitForURL((url) => url.pathname === "/login");
  for (const path of [
    "/",
    "/batches",
    "/payouts",
    "/approvals",
    "/operations",
    "/settings/users",
  ]) {
    await open(path);
    await page.getByRole("banner").getByText(band).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(() => page.getByRole("navigation").getByText(band).isVisible()).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
  }
  await desk.close();
});
