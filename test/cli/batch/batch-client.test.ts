/** The API client of batches: the same orders on a server and in the local ledger. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { signedIn, workingKey } from "../../support/dashboard/server.ts";
import { startSetup, type Setup } from "../../support/journey.ts";
import {
  sendForApproval,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import {
  type Ended,
  fileText,
  runHere,
  type Running,
  startPayrun,
} from "../../support/servers/payrun.ts";

let setup: Setup;
let ledger: TestLedger;
let server: Running;
let flags: readonly string[];
let approverId: string;

const here = (words: string): Promise<Ended> => runHere(words.split(" "), setup.env);
const there = (words: string): Promise<Ended> => runHere([...words.split(" "), ...flags]);

beforeAll(async () => {
  setup = await startSetup("postgres");
  server = startPayrun(["serve", "--no-workers"], { ...setup.env, PORT: "0" });
  const [, url = ""] = await server.says(/listening at (http:[^\s,;]+)/);
  ledger = await openTestLedger(setup.env["DATABASE_URL"]);
  const { token } = await workingKey({ database: ledger.database, clock: systemClock }, KEY_SCOPES);
  const world = { database: ledger.database, clock: systemClock };
  approverId = (await signedIn(world, ["approver"])).userId;
  const keyFile = join(setup.folder, "key");
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  flags = ["--server", url, "--api-key-file", keyFile];
});
afterAll(async () => {
  await server.end("SIGTERM");
  await ledger.close();
  await setup.stop();
});

let amounts = 0;
const newBatch = async (...amount: readonly string[]): Promise<string> => {
  const rows = [`${++amounts}.50`, ...amount].map((each) => ({ amount: each }));
  return (await ingestFile(ledger.ledger, fileText(rows))).batch.id;
};

/** A batch that another person approved, as in a ledger with users. */
async function approved(): Promise<string> {
  const id = await newBatch();
  const batch = await ledger.ledger.payout.findBatch({ id });
  if (!batch) throw new Error(`no batch ${id}`);
  await sendForApproval(ledger.database, batch);
  const approval = {
    batchId: id,
    userId: approverId,
    contentDigest: batch.contentDigest,
    totals: totalsOf(batch),
  };
  const done = await approveAs(approval, { ...ledger, clock: systemClock });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  return id;
}

const ORDERS = [
  "batch pause ID --reason checking",
  "batch pause ID --reason checking",
  "batch show ID --json",
  "batch resume ID --reason checked",
  "batch release ID --reason checked",
  "batch reschedule ID --reason later --at 2099-12-31_09:00_UTC",
  "batch request-approval ID",
  "batch retry-declined ID --preview --json",
  "batch retry-declined ID",
  "batch compare ID --json",
  "batch cancel ID --reason wrong",
  "batch cancel ID --reason wrong",
  "batch resume ID --reason checked",
];

test("carries out the same orders with the same results on a server and in the local ledger", async () => {
  const resultsOf = async (run: typeof here) => {
    const id = await approved();
    const results: unknown[] = [];
    for (const order of ORDERS) {
      const words = order.replace("ID", id).split(" ");
      const given = words.map((word) =>
        word.startsWith("2099") ? word.replaceAll("_", " ") : word,
      );
      const { code, stdout } = await (run === here
        ? runHere(given, setup.env)
        : runHere([...given, ...flags]));
      results.push([order, code, stdout.replaceAll(id, "ID")]);
    }
    return results;
  };
  const [local, remote] = [await resultsOf(here), await resultsOf(there)];
  const codes = local.map((result) => (result as unknown[])[1]);
  expect(codes).toEqual([0, 6, 0, 0, 6, 6, 6, 0, 6, 0, 0, 6, 6]);
  const plain = (results: unknown[]) =>
    JSON.stringify(results)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\d+\.50/g, "AMOUNT")
      .replaceAll(/[0-9a-f]{64}/g, "DIGEST")
      .replaceAll(/B[0-9A-Z]{10}/g, "OTHER")
      .replaceAll(/"seconds\\": [\d.]+/g, "SECONDS");
  expect(plain(remote)).toBe(plain(local));
});

test("words the refusals of the local ledger with the next command", async () => {
  const id = await approved();
  const says = async (words: string) => {
    const { code, stderr } = await here(words.replace("ID", id));
    return [code, stderr];
  };
  expect(await says("batch release ID --reason x")).toEqual([
    6,
    `No payouts in batch ${id} are waiting for a canary.\n`,
  ]);
  const at = ["--at", "2099-12-31 09:00 UTC"];
  expect(await runHere(["batch", "reschedule", id, ...at], setup.env)).toMatchObject({
    code: 6,
    stderr: `Batch ${id} cannot be rescheduled: it is not waiting for a scheduled send time, or it is held back. No changes were made. See: payrun batch show ${id}\n`,
  });
  const past = ["--at", "2001-12-31 09:00 UTC"];
  expect(await runHere(["batch", "reschedule", id, ...past], setup.env)).toMatchObject({
    code: 2,
    stderr: "2001-12-31 09:00 UTC has passed.\n",
  });
  const [code, refused] = await says("batch request-approval ID");
  expect([code, refused]).toEqual([
    6,
    expect.stringMatching(/^Batch \w+ cannot be sent for approval\. .*approved/),
  ]);
  for (const unknown of ["B0", "B".repeat(300)]) {
    const missing = [4, `There is no batch ${unknown}. See: payrun batch list\n`];
    for (const order of ["pause", "resume", "cancel", "release --reason x", "compare"]) {
      const [name = "", ...rest] = order.split(" ");
      expect(await says(["batch", name, unknown, ...rest].join(" "))).toEqual(missing);
    }
    expect(await says(`batch compare ID --with ${unknown}`)).toEqual(missing);
    expect(await says(`batch request-approval ${unknown}`)).toEqual(missing);
    const retry = [4, `There is no batch ${unknown}.\n`];
    expect(await says(`batch retry-declined ${unknown} --preview`)).toEqual(retry);
  }
  expect(await says("batch retry-declined ID")).toEqual([
    6,
    `Batch ${id} has no declined payouts that can be retried.\n`,
  ]);
});

test("lets the local operator pause without a reason, and records none", async () => {
  const id = await approved();
  expect(await here(`batch pause ${id}`)).toMatchObject({ code: 0, stderr: "" });
  expect(await here(`batch resume ${id}`)).toMatchObject({ code: 0, stderr: "" });
  const { rows } = await sql<{ action: string; actor: string; reason: string | null }>`
    select action, actor, facts::json ->> 'reason' as reason from audit
     where object = ${id} and action in ('pause', 'resume') order by seq`.execute(ledger.database);
  expect(rows).toEqual([
    { action: "pause", actor: expect.stringMatching(/^cli:/), reason: null },
    { action: "resume", actor: expect.stringMatching(/^cli:/), reason: null },
  ]);
  expect(await there(`batch pause ${id}`)).toMatchObject({ code: 2 });
});

test("sends a batch for approval once, when nothing prevents it", async () => {
  const id = await newBatch("wrong");
  const submit = `batch request-approval ${id}`;
  expect(await here(submit)).toMatchObject({
    code: 3,
    stderr: `Batch ${id} cannot be sent for approval yet: 1 row has errors: correct it, or continue without it.\n`,
  });
  expect((await here(`${submit} --leave-out`)).code).toBe(0);
  for (const run of [here, there]) {
    expect(await run(submit)).toMatchObject({
      code: 0,
      stderr: `${id} has already been sent for approval.\n`,
    });
  }
});

test("does not let the command line replace the second approver, in process or by a key", async () => {
  const id = await newBatch();
  await here(`batch request-approval ${id}`);
  for (const run of [here, there]) {
    const ended = await run(`batch approve ${id} --total INR=${amounts}.50`);
    expect([ended.code, ended.stderr]).toEqual([5, expect.stringContaining("approve")]);
  }
  expect((await ledger.ledger.payout.findBatch({ id }))?.state).toBe("awaiting_approval");
});
