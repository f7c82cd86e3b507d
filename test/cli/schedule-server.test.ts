/** Schedules on a server: the same documents and exit codes as on the ledger's machine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { workingKey } from "../support/dashboard/server.ts";
import { startSetup, type Setup } from "../support/journey.ts";
import { openTestLedger, ingestFile, type TestLedger } from "../support/ledger.ts";
import {
  type Ended,
  fileText,
  rowsOf,
  runHere,
  type Running,
  startPayrun,
} from "../support/servers/payrun.ts";

let setup: Setup;
let ledger: TestLedger;
let server: Running;
let list: string;
let flags: readonly string[];

const here = (words: string): Promise<Ended> => runHere(words.split(" "), setup.env);
const there = (words: string): Promise<Ended> => runHere([...words.split(" "), ...flags]);
const jsonOf = ({ code, stdout, stderr }: Ended): unknown => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

const DAY_MS = 86_400_000;
const daysFromNow = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** Returns the day, or the first Monday after it. */
const nextMonday = (day: string): string =>
  new Date(Date.parse(day) + ((8 - new Date(day).getUTCDay()) % 7) * DAY_MS)
    .toISOString()
    .slice(0, 10);

beforeAll(async () => {
  setup = await startSetup("postgres");
  server = startPayrun(["serve"], { ...setup.env, PORT: "0" });
  const [, url = ""] = await server.says(/listening at (http:\S+);/);
  ledger = await openTestLedger(setup.env["DATABASE_URL"]);
  const people = { database: ledger.database, clock: systemClock };
  const { token } = await workingKey(people, KEY_SCOPES);
  const keyFile = join(setup.folder, "key");
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  flags = ["--server", url, "--api-key-file", keyFile];
  list = (await ingestFile(ledger.ledger, fileText(rowsOf(2)))).batch.id;
});
afterAll(async () => {
  await server.end("SIGTERM");
  await ledger.close();
  await setup.stop();
});

test("creates, shows, pauses once and removes a schedule as on the ledger's machine", async () => {
  expect((await here("schedule list")).stderr).toBe(
    "There are no schedules yet. To create one: payrun schedule create --help\n",
  );
  // Neither edit may find the first occurrence due, or its batch created.
  const [dayOfMonth, monday] = [daysFromNow(10).slice(-2), nextMonday(daysFromNow(60))];
  const first = `--every month --on ${Number(dayOfMonth)} --time 09:00 --zone Asia/Kolkata`;
  const next = `schedule next ${first} --json`;
  expect(jsonOf(await there(next))).toEqual(jsonOf(await here(next)));
  const made = jsonOf(await there(`schedule create --name wages --list ${list} ${first} --json`));
  const { id } = made as { id: string };
  const shown = `schedule show ${id}`;
  expect((await there(shown)).stdout).toBe((await here(shown)).stdout);
  expect(jsonOf(await there(`${shown} --json`))).toEqual(jsonOf(await here(`${shown} --json`)));
  const listed = jsonOf(await there("schedule list --json"));
  expect(listed).toMatchObject([{ id, list, state: "active" }]);
  expect(jsonOf(await here("schedule list --json"))).toEqual(listed);
  const moved = jsonOf(await there(`schedule edit ${id} --time 10:15 --lead 12 --json`));
  const monthly = { every: "month", on: Number(dayOfMonth) };
  const rules = { rule: monthly, time: "10:15", zone: "Asia/Kolkata" };
  expect(moved).toMatchObject({ name: "wages", calendar: rules, lead_hours: 12, version: 2 });
  const weekly = `schedule edit ${id} --every week --on mon,fri --weeks 2 --from ${monday} --json`;
  const unconfirmed = await there(weekly);
  expect(unconfirmed).toMatchObject({ code: 6 });
  expect(unconfirmed.stderr).toContain(`will not take place. The next one is ${monday} 10:15`);
  const [confirmation = ""] = /--allow-skip \d{4}-\d\d-\d\d/.exec(unconfirmed.stderr) ?? [];
  expect(unconfirmed.stderr).toContain(`To confirm the edit, add ${confirmation}.`);
  expect((await here(weekly)).stderr).toContain(`To confirm the edit, add ${confirmation}.`);
  expect((await here(`${weekly} --allow-skip 2020-01-01`)).stderr).toContain(confirmation);
  expect(await here(`${weekly} --allow-skip yes`)).toMatchObject({
    code: 2,
    stderr: '--allow-skip "yes": expected a date such as 2026-12-31\n',
  });
  expect(jsonOf(await here(`${weekly} ${confirmation}`))).toMatchObject({
    version: 3,
    grace_hours: 4,
    list,
  });
  const kept = jsonOf(await here(`schedule edit ${id} --shift before --json`));
  const rule = { every: "week", on: ["mon", "fri"], weeks: 2, from: monday };
  expect(kept).toMatchObject({ calendar: { rule, shift: "before", time: "10:15" }, version: 4 });
  expect(await there(`schedule edit ${id} --time 25:00`)).toMatchObject({ code: 2 });
  const pause = `schedule pause ${id} --reason later`;
  expect([(await there(pause)).code, (await there(pause)).code]).toEqual([0, 6]);
  expect((await there(`schedule remove ${id} --reason over`)).code).toBe(0);
  expect((await there("schedule show SC0")).code).toBe(4);
});

test("words the refusals of the local ledger with the next command, whatever the texts given", async () => {
  const rule = "--every day --time 05:00 --zone UTC";
  const made = await here(`schedule create --name refusals --list ${list} ${rule} --json`);
  const { id } = jsonOf(made) as { id: string };
  const endsOf = async (words: string) => {
    const { code, stderr } = await here(words);
    return [code, stderr];
  };
  // The API refuses a reason of one character; an order on the ledger's machine does not.
  expect(await endsOf(`schedule pause ${id} --reason x`)).toEqual([0, ""]);
  expect(await endsOf(`schedule pause ${id} --reason x`)).toEqual([
    6,
    `Schedule ${id} cannot be paused in its current state. No changes were made. See: payrun schedule show ${id}\n`,
  ]);
  expect(await endsOf(`schedule skip ${id} 2026-01-05 --reason x`)).toEqual([
    6,
    `Schedule ${id} has no missed occurrence on 2026-01-05. No changes were made.\n`,
  ]);
  for (const unknown of ["SC0", "../x?y", "S".repeat(300)]) {
    const missing = [4, `There is no schedule ${unknown}. See: payrun schedule list\n`];
    expect(await endsOf(`schedule show ${unknown}`)).toEqual(missing);
    expect(await endsOf(`schedule remove ${unknown} --reason x`)).toEqual(missing);
    expect(await endsOf(`schedule skip ${unknown} today --reason x`)).toEqual(missing);
  }
  expect(await endsOf(`schedule create --name none --list B0 ${rule}`)).toEqual([
    4,
    "There is no batch B0.\n",
  ]);
  expect(await endsOf(`schedule create --name none --folder none ${rule}`)).toEqual([
    2,
    "The folder cannot be used: WATCH_FOLDER is not set, so no folder is being watched.\n",
  ]);
  expect((await here(`schedule remove ${id} --reason x`)).code).toBe(0);
});

test("refuses an existing or invalid schedule name as on the ledger's machine", async () => {
  const create = (name: string) =>
    `schedule create --name ${name} --list ${list} --every day --time 07:00 --zone UTC`;
  const made = await here(create("first"));
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^First batch: \d+ payouts? \(.+\), created .+ and sent on .+ 07:00 UTC/m,
    ),
  ]);
  expect(made.stdout).toMatch(/^The first batch may be blocked\. Batch \w+ has not finished\./m);
  for (const run of [here, there]) {
    const [again, short] = await Promise.all([run(create("second")), run(create("ab"))]);
    expect([again.code, short.code]).toEqual([6, 2]);
    expect(again.stderr).toContain(`“first” already pays the rows of batch ${list} at these times`);
    expect(short.stderr).toContain(`--name "ab": expected 3 to 100 characters`);
  }
});

test("lets a second schedule pay the same list at other times only when both are intended", async () => {
  for (const [run, time] of [
    [here, "07:30"],
    [there, "07:45"],
  ] as const) {
    const create = `schedule create --name more --list ${list} --every day --time ${time} --zone UTC`;
    const refused = await run(create);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(
      /already pays the rows of batch \S+: Every day .* add --allow-second\.$/m,
    );
    expect((await run(`${create} --allow-second`)).code).toBe(0);
  }
});

test("reports an invalid rule in the command line's terms", async () => {
  const { code, stderr } = await there(
    "schedule next --every fortnight --time 09:00 --zone Asia/Kolkata",
  );
  expect([code, stderr]).toEqual([2, expect.stringMatching(/month-end.*last-working-day/)]);
});

test.each([
  ["day --on mon,tue --weeks 2", ["on", "weeks"]],
  ["month-end --on 15", ["on"]],
  ["last-working-day --from 2026-12-01", ["from"]],
  ["month --on 15 --weeks 2", ["weeks"]],
  ["once --on 2099-12-31 --from 2099-12-01", ["from"]],
])("refuses an option that the rule does not use: --every %s", async (rule, unread) => {
  const { code, stdout, stderr } = await here(
    `schedule next --every ${rule} --time 09:00 --zone Asia/Kolkata`,
  );
  expect([code, stdout]).toEqual([2, ""]);
  const [every] = rule.split(" ");
  expect(stderr.trim().split("\n")).toEqual(
    unread.map((name) => `--${name} cannot be combined with --every ${every}.`),
  );
});

test.each([
  [
    "next --every month --on x --time 9 --zone Mars",
    [
      '--on "x": expected a day of the month from 1 to 31',
      '--time "9": expected a time such as 09:00',
      '--zone "Mars": expected a time zone such as Asia/Kolkata',
    ],
  ],
  [
    "next --every once --time 09:00 --zone UTC",
    ["--on is missing: expected a date such as 2026-12-31"],
  ],
  [
    "next --every week --on mo,fri --weeks 60 --time 09:00 --zone UTC",
    [
      '--on "mo,fri": expected days of the week such as mon,fri',
      '--weeks "60": expected a whole number of weeks from 1 to 52',
    ],
  ],
  [
    "create --every day --time 09:00 --zone UTC --name ab --lead abc --grace 0 --expires 0x10",
    [
      '--name "ab": expected 3 to 100 characters',
      '--lead "abc": expected a whole number of hours from 0 to 720',
      '--grace "0": expected a whole number of hours from 1 to 720',
      '--expires "0x10": expected a whole number of hours from 1 to 720',
    ],
  ],
])("lists every wrong option as typed, with its valid values: schedule %s", async (words, said) => {
  const { code, stdout, stderr } = await here(`schedule ${words}`);
  expect([code, stdout, stderr.trim().split("\n")]).toEqual([2, "", said]);
});

test("shows the rule and its first time when a schedule is created", async () => {
  const rule = "--every once --on 2099-12-31 --time 09:00 --zone Asia/Kolkata";
  const { stdout } = await there(
    `schedule create --name bonus --list ${list} --allow-second ${rule}`,
  );
  const [made, says, ...first] = stdout.trim().split("\n");
  expect(made).toMatch(/^SC\w+: created\./);
  expect(says).toBe("Once, on 2099-12-31, at 09:00 Asia/Kolkata.");
  expect(first.slice(0, 2)).toEqual(["First:", expect.stringContaining("2099-12-31 09:00")]);
});

test("shows the banks' cut-off with the next times, and before a batch is approved", async () => {
  const env = { ...setup.env, CUT_OFFS: "INR=00:01 Asia/Kolkata" };
  const rule = "--every month-end --time 09:00 --zone Asia/Kolkata --expires 12 --json";
  const words = `schedule create --name late --list ${list} --allow-second ${rule}`.split(" ");
  const { id } = jsonOf(await runHere(words, env)) as { id: string };
  const misses = "is after the 00:01 cut-off. The money may arrive a working day later.";
  expect((await runHere(["schedule", "show", id], env)).stdout).toContain(misses);
  const { batch } = await ingestFile(ledger.ledger, fileText(rowsOf(1)));
  const at = ["--total", "INR=100.00", "--at", "2099-12-31 09:00 Asia/Kolkata"];
  const approved = await runHere(["batch", "approve", batch.id, ...at], env);
  expect(approved.stderr).toContain(`2099-12-31 09:00 Asia/Kolkata ${misses}`);
});
