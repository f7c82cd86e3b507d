import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportLine } from "../support/servers/transaction-log.ts";
import { startSetup, type Setup } from "../support/journey.ts";
import { laneIn } from "../support/ledger.ts";
import {
  documentOf,
  makeFile,
  OTHER_KEY,
  rowsOf,
  runHere,
  runPayrun,
  startPayrun,
} from "../support/servers/payrun.ts";
import { freePort } from "../support/servers/ports.ts";
let setup: Setup;
let batchId: string;
let payCode: number | null;
const code = "GOOD-1";
const cli = (...args: readonly string[]) => runHere(args, setup.env);
// Separate processes that must exit by themselves.
const pay = (...args: readonly string[]) => runPayrun(["pay", ...args], setup.env);
const codeOf = async (...args: readonly string[]) => (await runPayrun(args, setup.env)).code;
const json = async (...args: readonly string[]) => {
  const { code: ended, stdout } = await cli(...args);
  expect(ended).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

beforeAll(async () => {
  setup = await startSetup("redis", { faults: [{ fault: "code_121", code: "REFUSED*" }] });
  const { path, totals } = makeFile(setup.folder, [
    { code: "REFUSED-1", reference: "@SUM(1)" },
    { code: "GOOD-1", amount: "7.5" },
  ]);
  const paid = await pay(path, "--json", ...totals);
  batchId = documentOf(paid).batch_id;
  payCode = paid.code;
});
afterAll(() => setup.stop());

describe("exit codes", () => {
  test.concurrent.each([
    [2, "pay"],
    [4, "batch show BNOTHING"],
    [4, "status PRNOTHING --currency INR"],
    [2, "simulator --declines 7"],
    [6, "unfreeze --reason nothing"],
    [0, "migrate"],
    [0, "doctor"],
  ])("exits with %i: %s", async (expected, words) => {
    expect(await codeOf(...words.split(" "))).toBe(expected);
  });

  test.each([
    [0, "pay --help"],
    [2, "nonsense"],
    [2, "pay file.csv --nonsense"],
    [4, "pay /nowhere/file.csv"],
    [4, "batch report BNOTHING"],
    [4, "batch pause BNOTHING"],
    [4, "batch resume BNOTHING"],
    [4, "batch cancel BNOTHING"],
    [0, "lane list"],
    [2, "lane pause all"],
    [2, "lane pause all --reason why --until 2001-01-01"],
    [4, "lane pause XYZ --reason why"],
    [6, "lane resume all --reason why"],
    [4, "payout show PRNOTHING"],
    [4, "status PRNOTHING"],
    [2, "simulator --faults /nowhere/faults.json"],
    [2, "deposit create --currency INR --amount abc --user U --name Kim"],
    [3, "deposit create --currency VND --amount 5.5 --user U --name Kim"],
    [2, "unfreeze"],
    [0, "audit verify"],
  ])("%i: %s", async (expected, words) => {
    expect((await cli(...words.split(" "))).code).toBe(expected);
  });

  test("7: finished, with a declined payout", () => {
    expect(payCode).toBe(7);
  });

  test("6: refuses to pause, approve or cancel a finished batch", async () => {
    const wishes = ["pause", "resume", "cancel"];
    const all = await Promise.all(wishes.map((wish) => cli("batch", wish, batchId)));
    for (const each of all) expect(`${each.code} ${each.stderr}`).toMatch(/^6 [^]*its final state/);
  });

  test("sends nothing in a paused lane, even when the file is paid again, until it is resumed", async () => {
    const { path, totals } = makeFile(setup.folder, rowsOf(2));
    const lane = laneIn("INR");
    expect((await cli("lane", "pause", lane, "--reason", "the bank called")).code).toBe(0);
    const paying = await pay(path, ...totals);
    expect(paying.code).toBe(8);
    expect(paying.stderr).toContain(`to resume: payrun lane resume ${lane}`);
    expect(await json("lane", "list", "--json")).toMatchObject({
      paused: [{ lane, reason: "the bank called", until: null }],
      stopped: [],
    });
    expect((await cli("doctor")).stdout).toContain(`${lane} is paused by`);
    expect((await cli("lane", "resume", lane, "--reason", "they called again")).code).toBe(0);
    expect(await codeOf("pay", path, ...totals)).toBe(0);
  });

  test("2: lists each wrong configuration variable, on stderr only", async () => {
    const { path } = makeFile(setup.folder, rowsOf(1));
    const ended = await runPayrun(["pay", path], { PORT: "x", GATEWAY_TIMEOUT_MS: "y" });
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toMatch(/PORT[^]*GATEWAY_TIMEOUT_MS/);
    const given = { DATABASE_URL: "postgres://nobody", HOLIDAYS_FILE: "/nowhere/days" };
    const missing = await runPayrun(["pay", path], given);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(/GATEWAY_URL[^]*no merchant[^]*HOLIDAYS_FILE[^]*PAYRUN_KEY/);
  });

  test("2: names an option of deposit as typed, with the found value unless it is an account", async () => {
    const wish = "deposit create --currency INR --amount 5,0 --user U --name Kim".split(" ");
    const wrong = /^--amount: expected an amount such as 1200 or 99\.50, but found "5,0"\.$/m;
    expect((await cli(...wish)).stderr).toMatch(wrong);
    const account = ["deposit", "krw-account", "DP1", "--bank", "b", "--account", "12 34 secret"];
    const { stderr } = await cli(...account);
    expect(stderr).toMatch(/^--account: expected 4 to 40 digits or dashes\.$/m);
  });

  test("2: reports that the simulator's port is taken and exits", async () => {
    const words = [`--port=${setup.gateway.port}`, `--transaction-log=${setup.folder}/taken.jsonl`];
    expect(await codeOf("simulator", ...words)).toBe(2);
  });

  test("9: a database or gateway that is unreachable", async () => {
    const { path, totals } = makeFile(setup.folder, rowsOf(1));
    const nobody = `127.0.0.1:${await freePort()}`;
    const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(closing, "listening");
    const { port } = closing.address() as AddressInfo;
    const list = (place: string) =>
      runPayrun(["batch", "list"], { ...setup.env, DATABASE_URL: `postgres://a:b@${place}/c` });
    const [noDatabase, cutOff, noGateway] = await Promise.all([
      list(nobody),
      list(`127.0.0.1:${port}`),
      runPayrun(["pay", path, ...totals], { ...setup.env, GATEWAY_URL: `http://${nobody}` }),
    ]);
    closing.close();
    expect([noDatabase.code, cutOff.code, noGateway.code]).toEqual([9, 9, 9]);
    expect(cutOff.stderr).toContain("The database cannot be reached");
    expect(noGateway.stderr).toContain("No payouts were approved or sent");
  }, 60_000);

  test("F103 2: refuses a PAYRUN_KEY other than the ledger's, in one sentence without a stack", async () => {
    const ended = await runPayrun(["batch", "list"], { ...setup.env, PAYRUN_KEY: OTHER_KEY });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("PAYRUN_KEY is not the key");
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  test("130: interrupted, and the batch is still stored", async () => {
    const { path, totals } = makeFile(setup.folder, rowsOf(3));
    await setup.gateway.setFaults([{ fault: "status_pending" }]);
    const paying = startPayrun(["pay", path, "--json", ...totals], setup.env);
    await paying.says(/./).catch(() => {});
    const stopped = await paying.end("SIGINT");
    await setup.gateway.setFaults([]);
    expect([130, null]).toContain(stopped.code);
    expect((await pay(path, "--json", ...totals)).code).toBe(0);
  });
});

describe("documents", () => {
  test("prints one document with the fields of the contract for pay --json", async () => {
    const { path, totals } = makeFile(setup.folder, [
      { amount: "1234567.89" },
      { currency: "THB" },
    ]);
    const { stdout } = await pay(path, "--json", ...totals);
    expect(JSON.parse(stdout)).toEqual({
      batch_id: expect.stringMatching(/^B[0-9A-Z]{10}$/),
      state: "finished",
      rows: 2,
      rejected: 0,
      totals: { INR: "1234567.89", THB: "100.00" },
      states: { settled: 2 },
      sums: { INR: { settled: "1234567.89" }, THB: { settled: "100.00" } },
      seconds: expect.any(Number),
    });
  });

  test("names the batch, its state, totals and payout states in batch list and show --json", async () => {
    const shown = await json("batch", "show", batchId, "--json");
    expect(shown).toMatchObject({
      batch_id: batchId,
      state: "finished_with_exceptions",
      rows: 2,
      totals: { INR: "107.50" },
      states: { settled: 1, declined: 1 },
      sums: { INR: { settled: "7.50", declined: "100.00" } },
    });
    const { stdout } = await cli("batch", "list", "--json");
    const listed = JSON.parse(stdout) as { batch_id: string; state: string }[];
    expect(listed.map(({ batch_id: id }) => id)).toContain(batchId);
  });

  test("F87 F126 writes the report as CSV with the file's columns and seven more, safe against formulas", async () => {
    const { stdout } = await cli("batch", "report", batchId);
    const rows = parse<Record<string, string>>(stdout, { columns: true });
    const names = (stdout.split("\n")[0] ?? "").split(",");
    // The file has a column for its own codes.
    expect(new Set(names).size).toBe(names.length);
    const added = "line,transaction_code,state,gateway_number,fee,reason,updated_at";
    expect(names.slice(-7).join(",")).toBe(added);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      line: "3",
      transaction_code: code,
      state: "settled",
      transaction_amount: "7.5",
    });
    expect(rows[1]?.["gateway_number"]).toMatch(/^WD\d+$/);
    expect(rows[0]).toMatchObject({ state: "declined", reason: "refused: bank not found" });
    expect(rows[0]?.["reference"]).toMatch(/^'@SUM\(1\)/);
  });

  test("prints one line per row for report --json", async () => {
    const { stdout } = await cli("batch", "report", batchId, "--json");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as ReportLine);
    expect(lines.map(({ transaction_code, state }) => [transaction_code, state])).toEqual([
      ["REFUSED-1", "declined"],
      [code, "settled"],
    ]);
  });

  test("shows every attempt, answer and change of state in payout show, without the account", async () => {
    const story = await json("payout", "show", code, "--json");
    expect(story).toMatchObject({ code, state: "settled", currency: "INR", amount: "7.50" });
    expect(story["attempts"]).toBe(1);
    const kinds = (story["timeline"] as { kind: string }[]).map(({ kind }) => kind);
    // Approved, accepted and settled: an attempt replaces the claim for sending.
    expect(kinds.filter((kind) => kind === "change")).toHaveLength(3);
    expect(kinds).toEqual(expect.arrayContaining(["attempt", "answer", "status_query"]));
    const people = await cli("payout", "show", code);
    expect(people.stdout).toContain("Has money moved? Yes.");
    expect(JSON.stringify(story) + people.stdout).not.toMatch(/50100\d{9}/);
  });

  test("exports batches, payouts with their history and the audit chain, without accounts", async () => {
    const { stdout } = await cli("export");
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (kind: string) => records.filter((record) => record["kind"] === kind);
    expect(of("batch")[0]).toMatchObject({ batch_id: batchId, state: "finished_with_exceptions" });
    expect(of("payout").find((payout) => payout["transaction_code"] === code)).toMatchObject({
      batch_id: batchId,
      line: 3,
      currency: "INR",
      amount: "7.50",
      state: "settled",
      attempts: [{ number: 1 }],
      transitions: [
        { seq: 1, event: "approve", from: "awaiting_approval", to: "approved" },
        { seq: 2, event: "send" },
        { seq: 3, event: "accept" },
        { seq: 4, event: "settle", from: "accepted", to: "settled" },
      ],
    });
    expect(of("audit").map(({ seq }) => seq)).toEqual(of("audit").map((_, at) => at + 1));
    expect(of("audit")[0]).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(stdout).not.toMatch(/50100\d{9}/);
  });

  test("queries the gateway with status and changes nothing", async () => {
    const before = await json("payout", "show", code, "--json");
    const told = await json("status", code, "--json");
    expect(told).toMatchObject({ transaction_code: code, our_state: "settled", kind: "found" });
    expect(await json("payout", "show", code, "--json")).toEqual(before);
  });
});

test("stores nothing and exits with 3 for a file that cannot be read as a batch", async () => {
  const path = join(setup.folder, "no.csv");
  writeFileSync(path, "a,b\n1,2\n");
  const before = (await cli("batch", "list", "--json")).stdout;
  expect(await codeOf("pay", path)).toBe(3);
  expect((await cli("batch", "list", "--json")).stdout).toBe(before);
  expect(readFileSync(path, "utf8")).toBe("a,b\n1,2\n");
});
