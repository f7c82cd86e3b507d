/** The result file of a batch from a watched folder: when it appears, and what later changes do. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { writeResults } from "#flows/feed/write-results.ts";
import { createSchedule, runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";
import { moveFinished } from "#ledger/payout/finish.ts";
import { findOccurrences } from "#ledger/schedule/schedules.ts";
import { ScheduleInput } from "#schedule/schedule.ts";
import { claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import { scheduleDeps } from "../../support/schedules.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let deps: ScheduleDeps;
let path: string;
beforeEach(async () => {
  open = await openTestLedger();
  const root = scratch();
  deps = scheduleDeps(open, root);
  path = join(root, "salaries");
  mkdirSync(path);
  return () => open.close();
});

const change = (statement: string) =>
  query(asTestOwner(open.url), `set search_path to payrun; ${statement}`);

/** A batch from a file in the folder, approved and due. */
async function batchFromFolder(rows: number): Promise<string> {
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  const given = ScheduleInput.parse({ name: "salaries", calendar, folder: "salaries" });
  const made = await createSchedule(given, "cli:maker", deps);
  if (!made.ok) throw new Error(made.error.why);
  await change(
    "update occurrences set create_at = now(), send_at = now() + interval '1 hour' where state = 'planned'",
  );
  writeFileSync(join(path, "november.csv"), fileText(rowsOf(rows)));
  for (let look = 0; look < 3; look += 1) {
    await runSchedules(deps);
    await change(
      "update occurrences set next_check_at = null, seen_at = seen_at - interval '1 minute' where state = 'due'",
    );
  }
  const occurrences = (await findOccurrences(open.database, [made.value], 20)).get(made.value);
  const batchId = occurrences?.find(({ state }) => state === "created")?.batchId;
  const batch = batchId ? await open.ledger.payout.findBatch({ id: batchId }) : null;
  if (!batch) throw new Error("no batch was created");
  const { contentDigest } = batch;
  const seen = { actor: "checker", contentDigest, totals: totalsOf(batch) };
  const approved = await approve(batch.id, seen, { ledger: open.ledger });
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
  await change("delete from send_times");
  return batch.id;
}

async function settleAll(batchId: string): Promise<void> {
  const { payout } = open.ledger;
  for (const attempt of await payout.openAttempts(claimOf(batchId))) {
    await payout.move(moveOf(attempt));
    const accepted = { seq: attempt.seq + 1, from: "accepted", evidence: null } as const;
    await payout.move(moveOf(attempt, { ...accepted, event: "settle" }));
  }
  await payout.finishBatch(batchId);
}

/** Reports a settled payout of the batch as returned. */
async function returnOne(batchId: string): Promise<void> {
  const [row] = await query(
    open.url,
    `select id::int, seq from payrun.payouts where batch_id = '${batchId}' order by id limit 1`,
  );
  const settled = { payoutId: Number(row?.["id"]), seq: Number(row?.["seq"]) };
  const move = moveOf(settled, { from: "settled", event: "return", reason: "returned_by_gateway" });
  await open.database
    .transaction()
    .execute((transaction) => moveFinished(transaction, move, new Date()));
}

const tick = () => writeResults(deps);
const out = () => join(path, "out");
const files = () => (existsSync(out()) ? readdirSync(out()) : []);
/** The states in the result file. */
function states(batchId: string): string[] {
  const text = readFileSync(join(out(), `${batchId} november.csv`), "utf8");
  const [header = "", ...lines] = text.trim().split("\n");
  const place = header.split(",").indexOf("state");
  return lines.map((line) => line.split(",")[place] ?? "");
}
const minuteLater = () =>
  change("update occurrences set result_at = result_at - interval '1 minute'");

test("appears when the batch has finished, with one line for each row, and again after a return", async () => {
  const id = await batchFromFolder(3);
  await tick();
  expect(files()).toEqual([]);
  await settleAll(id);
  await tick();
  expect(files()).toEqual([`${id} november.csv`]);
  expect(states(id)).toEqual(["settled", "settled", "settled"]);
  expect(statSync(join(out(), `${id} november.csv`)).mode & 0o777).toBe(0o640);

  const written = () => statSync(join(out(), `${id} november.csv`)).ino;
  const first = written();
  await minuteLater();
  await tick();
  expect(written()).toBe(first);

  await change("update occurrences set result_at = now()");
  await returnOne(id);
  await tick();
  expect(states(id)).toEqual(["settled", "settled", "settled"]);
  await minuteLater();
  await tick();
  expect(states(id)).toEqual(["returned", "settled", "settled"]);
  expect(files()).toEqual([`${id} november.csv`]);
});

test("stays in the folder of its file after the schedule gets another folder", async () => {
  const id = await batchFromFolder(1);
  await change(`update schedules set source = '{"folder": "wages"}'`);
  mkdirSync(join(path, "../wages"));
  await settleAll(id);
  await tick();
  expect(files()).toEqual([`${id} november.csv`]);
});

test("is written by a later tick if the folder cannot be written to, never through a link", async () => {
  const id = await batchFromFolder(1);
  await settleAll(id);
  const elsewhere = scratch();
  symlinkSync(elsewhere, out());
  await tick();
  expect(readdirSync(elsewhere)).toEqual([]);

  unlinkSync(out());
  mkdirSync(out());
  // A killed process has left a part of the file.
  writeFileSync(join(out(), `.${id} november.csv.part`), "half of a");
  await tick();
  expect(files()).toEqual([`.${id} november.csv.part`]);
  await minuteLater();
  await tick();
  expect(files()).toEqual([`${id} november.csv`]);
  expect(states(id)).toEqual(["settled"]);
});
