/** Every command, and the audit line of each command that changes something. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { programFor } from "#cli/app/program.ts";
import { beforeAll, expect, test } from "vitest";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";
import { freshLedger, laneIn } from "../../support/ledger.ts";
import {
  fileText,
  makeFile,
  runHere,
  scratch,
  withoutGateway,
} from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const folder = scratch();
/** Prerequisite of the other commands. */
const NEXT_KEY = join(folder, "next.key");
const NEXT = "6b1f0c92d37ae485916fd02b7cc3e8a45d9910f27b46ea83c05d7f1e92a4b638";
let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  url = await freshLedger();
  env = withoutGateway(url, folder);
  await runHere(["migrate"], env);
  writeFileSync(NEXT_KEY, NEXT);
});

const sql = (text: string) => query(url, `set search_path = payrun; ${text}`);
const stopLane = () =>
  sql(`insert into lanes (lane, reason, needs) values ('${laneIn("INR")}', 'balance_too_low', 'person')
    on conflict (lane) do update set reason = excluded.reason, needs = excluded.needs`);
const files = ["Rao", "Iyer"].map((name) =>
  makeFile(folder, [
    { amount: "10.00", name: `Asha ${name}` },
    { amount: "20.00", name: `Bala ${name}` },
  ]),
);
const [first, second] = files.map(({ path, totals }) => ({ path, totals: [...totals] }));
if (!first || !second) throw new Error("no files");

const batch = async (): Promise<string> =>
  String(
    (await query(url, "select id from payrun.batches order by created_at desc limit 1"))[0]?.["id"],
  );

const depositOf = async (currency: string): Promise<string> => {
  const found = `select transaction_code as code from payrun.deposits where currency = '${currency}'`;
  return String((await query(url, found))[0]?.["code"]);
};

interface AuditedCommand {
  readonly ends?: number;
  readonly action: string;
  readonly args: () => Promise<readonly string[]>;
}

/** The rejected row of the batch with one. */
const WRONG_LINE = "3";
const AT = "2099-12-31 09:00 Asia/Kolkata";
const DAILY = ["--every", "day", "--time", "09:00", "--zone", "Asia/Kolkata"];
const schedule = async (): Promise<string> =>
  String((await query(url, "select id from payrun.schedules"))[0]?.["id"]);
/** An occurrence that was missed. */
const missed = async (): Promise<[string, string]> => {
  const id = await schedule();
  await sql(`insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state)
    values ('${id}', '2026-01-05', '2026-01-05T09:00', 'UTC', now(), now(), 'missed')
    on conflict (schedule_id, day) do update set state = 'missed'`);
  return [id, "2026-01-05"];
};
const REASON = ["--reason", "asked to"];
const ON_DAY = [SETTLED_DAY.day, "--lane", SETTLED_DAY.lane];
const quarantined = async (): Promise<readonly string[]> => {
  await sql(
    `insert into quarantine (batch_id, cause, rows) values ('${await batch()}', 'frozen', 1)`,
  );
  return [await batch(), ...REASON];
};

/** Sets the state of the first payout directly, bypassing the rules. Returns its code. */
async function firstPayout(state: string): Promise<string> {
  const [row] = await force(
    url,
    `update payrun.payouts p set ${state} from payrun.payout_details d where d.payout_id = p.id
      and p.id = (select min(id) from payrun.payouts) returning d.transaction_code as code`,
  );
  return String(row?.["code"]);
}

/**
 * Ordered so that each command can run. Null: the command changes nothing, or is the program itself
 * rather than a person's action.
 */
const COMMANDS: Readonly<Record<string, AuditedCommand | null>> = {
  "user setup-link": { action: "setup_link", args: async () => [] },
  pay: {
    action: "approve",
    args: async () => [first.path, ...first.totals, "--no-wait"],
  },
  "comment add": {
    action: "comment",
    args: async () => ["The totals are right.", "--batch", await batch()],
  },
  "lane pause": { action: "pause_lane", args: async () => ["all", ...REASON] },
  "lane resume": { action: "resume_lane", args: async () => ["all", ...REASON] },
  "lane limit": {
    action: "set_lane",
    args: async () => [laneIn("INR"), "--rate", "20/s", ...REASON],
  },
  "batch pause": { action: "pause", args: async () => [await batch(), ...REASON] },
  "lane restart": {
    action: "open_lane",
    async args() {
      await stopLane();
      return [laneIn("INR"), ...REASON];
    },
  },
  "batch resume": { action: "resume", args: async () => [await batch()] },
  "batch priority": {
    action: "set_priority",
    args: async () => [await batch(), "urgent", ...REASON],
  },
  "batch urgent": { action: "set_priority", args: async () => [await batch(), ...REASON] },
  "batch normal": { action: "set_priority", args: async () => [await batch(), ...REASON] },
  "batch low": { action: "set_priority", args: async () => [await batch(), ...REASON] },
  "batch report": { action: "download_report", args: async () => [await batch()] },
  "batch release": {
    action: "release_canary",
    async args() {
      await sql(`insert into canaries (batch_id, lane, payout_ids, last_line)
        values ('${await batch()}', '${laneIn("INR")}', '{1}', 2)`);
      return [await batch(), ...REASON];
    },
  },
  "batch cancel": { action: "cancel_rest", args: async () => [await batch(), ...REASON] },
  "batch approve": {
    action: "approve",
    async args() {
      await runHere(["pay", second.path, "--total", "INR=1", "--no-wait"], env);
      return [await batch(), ...second.totals];
    },
  },
  "batch allow-duplicates": {
    action: "allow_duplicates",
    async args() {
      const account = "77100000000001";
      const [paid, again] = [1, 2].map(() => makeFile(folder, [{ account }]));
      await runHere(["pay", paid?.path ?? "", ...(paid?.totals ?? []), "--no-wait"], env);
      await runHere(["pay", again?.path ?? "", "--total", "INR=1", "--no-wait"], env);
      return [await batch(), ...REASON];
    },
  },
  "batch release-quarantine": { action: "release_quarantine", args: quarantined },
  "batch reschedule": {
    action: "reschedule",
    async args() {
      const { path, totals } = makeFile(folder, [{ amount: "30.00", name: "Asha Later" }]);
      await runHere(["pay", path, "--total", "INR=1", "--no-wait"], env);
      await runHere(["batch", "approve", await batch(), ...totals, "--at", AT], env);
      return [await batch(), "--at", AT.replace("2099", "2100"), ...REASON];
    },
  },
  "batch send-now": { action: "send_now", args: async () => [await batch(), ...REASON] },
  "schedule create": {
    action: "create_schedule",
    args: async () => ["--name", "daily", "--list", await batch(), ...DAILY],
  },
  "schedule edit": {
    action: "edit_schedule",
    args: async () => [await schedule(), "--time", "10:00"],
  },
  "schedule next": null,
  "schedule list": null,
  "schedule show": null,
  "schedule pause": { action: "pause_schedule", args: async () => [await schedule(), ...REASON] },
  "schedule resume": { action: "resume_schedule", args: async () => [await schedule(), ...REASON] },
  "schedule skip": {
    action: "skip_occurrence",
    args: async () => [...(await missed()), ...REASON],
  },
  "schedule decide": {
    action: "skip_occurrence",
    args: async () => [(await missed())[0], "--skip", ...REASON],
  },
  "schedule create-batch": {
    action: "create_occurrence",
    args: async () => [...(await missed()), ...REASON],
  },
  "schedule remove": { action: "remove_schedule", args: async () => [await schedule(), ...REASON] },
  "batch create": { action: "ingest", args: async () => [makeFile(folder, [{}]).path] },
  "batch rejects": {
    action: "download_rejects",
    async args() {
      const path = join(folder, "wrong.csv");
      writeFileSync(path, fileText([{}, { amount: "wrong" }]));
      await runHere(["batch", "create", path], env);
      return [await batch()];
    },
  },
  "batch leave-out": { action: "leave_out_rows", args: async () => [await batch(), WRONG_LINE] },
  "batch put-back": { action: "put_back_rows", args: async () => [await batch(), WRONG_LINE] },
  "batch correct": {
    action: "correct",
    async args() {
      const { stdout } = await runHere(["batch", "rejects", await batch()], env);
      const repaired = join(folder, "repaired.csv");
      writeFileSync(repaired, stdout.replace(",wrong,", ",10.00,"));
      return [await batch(), repaired];
    },
  },
  "batch retry-declined": {
    action: "ingest",
    async args() {
      await force(url, "update payouts set state = 'declined' where state = 'awaiting_approval'");
      return [await batch(), "--reason", "the account was confirmed"];
    },
  },
  "batch request-approval": {
    action: "request_approval",
    async args() {
      await sql(`insert into users (id, email, name, roles, password)
        values ('US2', 'bob@example.test', 'Bob', '{approver}', 'x')`);
      return [await batch()];
    },
  },
  "batch withdraw": {
    action: "withdraw",
    async args() {
      const id = await batch();
      // The operator of this machine has edited the batch, and another person uploaded it.
      await force(url, "update batches set maker = 'user:US9' where id = $1", [id]);
      return [id, ...REASON];
    },
  },
  "payout resolve": {
    action: "propose_resolution",
    args: async () => [
      await firstPayout("state = 'on_hold', reason = 'resend_window_over'"),
      "--not-arrived",
      "--reason",
      "ticket 4711",
    ],
  },
  "payout end-wait": {
    action: "propose_end_wait",
    args: async () => [
      await firstPayout(`state = 'in_doubt', reason = 'no_answer', maybe_arrived = true, attempts = 1,
        first_sent_at = now(), last_sent_at = now(), unanswered_at = now(), due_at = now() + interval '1 hour'`),
      "--reason",
      "ticket 4712",
    ],
  },
  "payout query-all": {
    action: "apply_payout_action",
    args: async () => [
      await firstPayout(`state = 'in_doubt', reason = 'no_answer', maybe_arrived = true, attempts = 1,
        first_sent_at = now(), last_sent_at = now(), unanswered_at = now(), due_at = now() + interval '1 hour'`),
      ...REASON,
      "--yes",
    ],
  },
  // The same operation with another action: test/http/integrity/audited.test.ts.
  "payout hold-back": null,
  "payout release": null,
  "payout cancel": null,
  // test/cli/payout/assign-payouts.test.ts
  "payout assign": null,
  "payout resolve-listed": null,
  // test/cli/payout/payout-proposals.test.ts
  "payout confirm-proposal": null,
  "payout reject-proposal": null,
  "payout proposals": null,
  "payout query": {
    action: "query_status",
    async args() {
      const [payout] = await query(
        url,
        "select transaction_code as code from payrun.payout_details",
      );
      return [String(payout?.["code"])];
    },
  },
  reconcile: {
    action: "reconcile",
    ends: 3, // the statement lacks a payout
    async args() {
      const path = join(folder, "statement.csv");
      writeFileSync(path, await settledDayWith(url, { missing: 1 }));
      const { lane, day } = SETTLED_DAY;
      return [path, "--lane", lane, "--day", day, "--confirm-mapping"];
    },
  },
  "breaks comment": { action: "comment_break", args: async () => ["1", "Asked support"] },
  "close open": {
    action: "open_days",
    args: async () => [...ON_DAY, "--balance", "1000.00", ...REASON],
  },
  "close adjust": {
    action: "propose_adjustment",
    args: async () => [...ON_DAY, "--amount", "-5", ...REASON],
  },
  "close day": { action: "close_day", ends: 3, args: async () => ON_DAY },
  "close reopen": {
    action: "propose_reopening",
    ends: 3, // the day is closed with a difference
    args: async () => [...ON_DAY, ...REASON],
  },
  "breaks assign": { action: "apply_break_action", args: async () => ["1", "--nobody", "--yes"] },
  // The same operation with another action: test/cli/reconciliation/break-actions.test.ts.
  "breaks confirm": null,
  "breaks reject": null,
  "breaks propose": { action: "propose_break", args: async () => ["1", ...REASON] },
  freeze: { action: "freeze", args: async () => REASON },
  unfreeze: { action: "unfreeze", args: async () => [...REASON, "--yes", "--hold-unqueried"] },
  "user reset-link": {
    action: "reset_link",
    async args() {
      await sql(`insert into users (id, email, name, roles, password)
        values ('US1', 'ada@example.test', 'Ada', '{admin}', 'x')`);
      return ["ada@example.test"];
    },
  },
  "limit set": { action: "payout_limits", args: async () => ["day", "INR", "9000000"] },
  "limit remove": { action: "payout_limits", args: async () => ["day", "INR"] },
  "limit rules": { action: "payout_limits", args: async () => ["--zone", "Asia/Kolkata"] },
  "limit headroom": null,
  "limit list": null,
  "deposit create": {
    action: "request_deposit",
    args: async () => ["--currency", "INR", "--amount", "5", "--user", "U1", "--name", "Kim"],
  },
  "deposit query": { action: "query_status", args: async () => [await depositOf("INR")] },
  "deposit krw-account": {
    action: "send_account",
    ends: 7, // there is no gateway to receive it
    async args() {
      const wish = ["--currency", "KRW", "--amount", "5", "--user", "U1", "--name", "Kim"];
      await runHere(["deposit", "create", ...wish], env);
      await sql(
        "update deposits set state = 'awaiting_bank', lease_until = null where currency = 'KRW'",
      );
      return [await depositOf("KRW"), "--bank", "KB", "--account", "12345678901"];
    },
  },
  "deposit resolve": {
    action: "propose_resolution",
    async args() {
      await sql("update deposits set state = 'manual', due_at = null where currency = 'INR'");
      return [await depositOf("INR"), "--not-received", ...REASON];
    },
  },
  evidence: {
    action: "download_batch_evidence",
    args: async () => [await batch(), "--output", join(folder, "evidence.zip")],
  },
  verify: null,
  // test/ledger/integrity/archive/archive.test.ts: a batch must be finished in an earlier period.
  "archive create": null,
  "archive detach": null,
  "archive restore": null,
  "archive show": null,
  "archive list": null,
  "archive verify": null,
  "retention list": null,
  "retention set": { action: "retention_policy", args: async () => ["payout_details", "1"] },
  "retention hold": { action: "retention_policy", args: async () => ["--reason", "case 12"] },
  "retention release": {
    action: "retention_policy",
    args: async () => {
      // Afterwards, two admins end a legal hold.
      await force(url, "delete from setup_ended");
      return [];
    },
  },
  "retention run": {
    action: "retention_run",
    args: async () => {
      await force(url, "update retention_rules set kind = 'sessions', days = 365");
      return [];
    },
  },
  "key public": null,
  // test/cli/integrity/key-file.test.ts: it needs a backup from before a rotation.
  "key import": null,
  "key export": null,
  "key rotate": { action: "rotate_key", args: async () => ["--to", NEXT_KEY] },
  "erase person": {
    action: "propose_erasure",
    args: async () => {
      await force(url, "update payrun.payouts set state = 'settled' where id = 1");
      const codes =
        "select transaction_code as code from payrun.payout_details where payout_id = 1";
      const [row] = await query(url, codes);
      return [String(row?.["code"]), "--reason", "request 12"];
    },
  },
  "erase list": null,
  "deposit link": null,
  "deposit list": null,
  "deposit show": null,
  "audit verify": null,
  "comment list": null,
  "batch compare": null,
  "batch list": null,
  "breaks list": null,
  "breaks show": null,
  "close list": null,
  "close show": null,
  "batch show": null,
  "batch watch": null,
  events: null,
  check: null,
  "report breaks": null,
  "report fees": null,
  "report results": null,
  "report times": null,
  demo: null,
  doctor: null,
  init: null,
  "config show": null,
  completion: null,
  export: null,
  "lane list": null,
  "lane show": null,
  login: null, // the server decides what its key may do
  logout: null,
  migrate: null, // every start does this, and the ledger records when
  "payout search": { action: "search_account", args: async () => ["99100000000009"] },
  "payout show": null, // its accounts are masked
  serve: null,
  simulator: null,
  status: null,
  template: null,
  "user list": null,
  worker: null,
};

test("lists every command", async () => {
  const program = await programFor([]);
  const names = (command: Command, path: readonly string[]): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((child) => names(child, [...path, child.name()]))
      : [path.join(" ")];
  expect(names(program, []).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

const linesOf = async (action: string) =>
  query(url, `select actor from payrun.audit where action = '${action}'`);

/** Actors of the new audit lines: one more line than before. */
async function auditedActor(
  name: string,
  { action, args, ends = 0 }: AuditedCommand,
): Promise<unknown> {
  const given = await args();
  const before = (await linesOf(action)).length;
  const { code, stderr } = await runHere([...name.split(" "), ...given], env);
  expect([code, stderr]).toEqual([ends, stderr]);
  if (action === "rotate_key") env = { ...env, PAYRUN_KEY: NEXT };
  const lines = await linesOf(action);
  expect(lines.length).toBeGreaterThan(before);
  return lines.at(-1)?.["actor"];
}

test.each(
  Object.entries(COMMANDS).flatMap(([name, deed]) => (deed ? [[name, deed] as const] : [])),
)("records payrun %s on the audit log", async (name, deed) => {
  expect(await auditedActor(name, deed)).toMatch(/^cli:/);
});

test("records that paying a file again lets its lanes send", async () => {
  await stopLane();
  const args = async () => [second.path, ...second.totals, "--no-wait"];
  expect(await auditedActor("pay", { action: "open_lane", args })).toMatch(/^cli:/);
});
