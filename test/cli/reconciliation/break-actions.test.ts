/** Actions on several breaks on the command line, of a ledger without and then with approvers. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../../support/ledger.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const { lane, day } = SETTLED_DAY;
let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  url = await freshLedger();
  const folder = scratch();
  env = withoutGateway(url, folder);
  await runHere(["migrate"], env);
  const statement = join(folder, "statement.csv");
  writeFileSync(statement, await settledDayWith(url, { missing: 3, plus_one: 2 }));
  const ofDay = ["--lane", lane, "--day", day, "--confirm-mapping"];
  await runHere(["reconcile", statement, ...ofDay], env);
  await force(
    url,
    `insert into users (id, email, name, roles, password)
      values ('US1', 'asha@payer.example', 'Asha', '{operator}', 'x')`,
  );
});

const breaks = (...words: readonly string[]) => runHere(["breaks", ...words], env);
const MISSING = ["--class", "missing_at_gateway"];
const BECAUSE = ["--reason", "listed on the next day"];
const statesOf = async () =>
  (await query(url, "select state from payrun.breaks order by id")).map(({ state }) => state);
const linesOf = async () =>
  (
    await query(
      url,
      "select object, facts from payrun.audit where action = 'apply_break_action' order by seq",
    )
  ).map(({ object, facts }) => ({ object, facts: JSON.parse(String(facts)) }));
const previewIn = (text: string) => /^Preview (\S+)\. /m.exec(text)?.[1] ?? "";

test("previews numbers and sums, and changes nothing without a confirmation", async () => {
  const shown = await breaks("assign", ...MISSING, "--to", "asha");
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^Preview BA\S+\. Selected breaks: 3\. Qualifying: 3\.$/m);
  expect(shown.stdout).toMatch(/^missing_at_gateway +3 +INR -[\d,.]+$/m);
  expect(shown.stdout).toMatch(/^SHA-256 of the list of these breaks: [0-9a-f]{64}$/m);
  expect(shown.stderr).toContain(`--preview ${previewIn(shown.stdout)} --yes`);
  expect(await linesOf()).toEqual([]);
});

test("applies exactly the preview that was shown, with one line that has its digest", async () => {
  const shown = await breaks("assign", ...MISSING, "--to", "asha");
  const id = previewIn(shown.stdout);
  const applied = await breaks("assign", "--preview", id, "--to", "US1", "--yes");
  expect(applied.stdout).toContain(`Changed breaks: 3. Action ${id}.`);
  const [line, ...others] = await linesOf();
  expect(others).toEqual([]);
  expect(line).toMatchObject({ object: id, facts: { action: "assign", assignee: "user:US1" } });
  const list = line?.facts.breaks.map((each: number[]) => each.join(" ")).join("\n");
  expect(shown.stdout).toContain(createHash("sha256").update(list).digest("hex"));
  expect((await breaks("list", "--assignee", "asha", "--json")).stdout.match(/"id"/g)).toHaveLength(
    3,
  );
  expect((await breaks("assign", ...MISSING, "--nobody", "--yes")).stdout).toContain(
    "Changed breaks: 3.",
  );
});

test("leaves breaks that changed after the preview, and says why", async () => {
  const { stdout } = await breaks("propose", ...MISSING, ...BECAUSE, "--json");
  const { id } = JSON.parse(stdout);
  await force(
    url,
    `update breaks set basis = 'other', version = version + 1
      where id = (select min(id) from breaks where class = 'missing_at_gateway')`,
  );
  const applied = await breaks("propose", "--preview", id, ...BECAUSE, "--yes");
  expect(applied.stdout).toContain(`Changed breaks: 2. Action ${id}.`);
  expect(applied.stdout).toContain("Not changed: 1. The break has changed since the preview.");
});

test("resolves breaks at once in a ledger without approvers", async () => {
  expect((await statesOf()).filter((state) => state === "resolved")).toHaveLength(2);
  const resolutions = await query(url, "select outcome from payrun.break_resolutions");
  expect(resolutions.map(({ outcome }) => outcome)).toEqual(["alone", "alone"]);
});

test("leaves decisions to an approver, and makes them if there is no approver", async () => {
  await force(
    url,
    `insert into users (id, email, name, roles, password)
      values ('US2', 'chen@payer.example', 'Chen', '{approver}', 'x')`,
  );
  const proposed = await breaks("propose", "--class", "amount", ...BECAUSE, "--yes");
  expect(proposed.stdout).toContain("Changed breaks: 2.");
  expect(await breaks("confirm", "--state", "proposed", "--yes")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("An approver must decide about the proposals"),
  });
  await force(url, "update users set disabled_at = now() where id = 'US2'");
  await force(
    url,
    `update break_resolutions set proposed_by = 'user:US1'
      where id = (select max(id) from break_resolutions)`,
  );
  const confirmed = await breaks("confirm", "--state", "proposed", "--yes");
  expect(confirmed.stdout).toMatch(/^Proposal for 1, by \S+ \(command line\): listed on/m);
  expect(confirmed.stdout).toContain("Changed breaks: 1.");
  expect(confirmed.stdout).toContain("Not changed: 1. A user made the proposal");
  const rejected = await breaks("reject", "--state", "proposed", "--yes");
  expect(rejected.stdout).toContain("Changed breaks: 1.");
  expect((await linesOf()).slice(-2)).toMatchObject([
    { facts: { action: "confirm", breaks: [expect.any(Array)] } },
    { facts: { action: "reject" } },
  ]);
});

test.each([
  [["assign", "1"], "Specify either --to or --nobody"],
  [["assign", "--to", "asha"], "Specify either numbers of breaks"],
  [["assign", "x", "--to", "asha"], "x is not the number of a break"],
  [["confirm", "1", "--state", "proposed"], "Specify either numbers of breaks"],
])("refuses %j", async (words, text) => {
  expect(await breaks(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
});

test("refuses an unknown user, and a decision on a server with the page of an approver", async () => {
  expect(await breaks("assign", "1", "--to", "nora")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("No user has the ID or name nora. Users: US1 (Asha)."),
  });
  const key = join(scratch(), "key");
  writeFileSync(key, `pk_${"a".repeat(43)}`, { mode: 0o600 });
  const there = { ...env, PAYRUN_SERVER: "http://127.0.0.1:1", PAYRUN_API_KEY_FILE: key };
  const refused = await runHere(["breaks", "confirm", "1"], there);
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain("http://127.0.0.1:1/reconciliation?state=proposed");
});
