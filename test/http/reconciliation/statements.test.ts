/** Statements uploaded over HTTP: the mapping is confirmed first, then the day is compared. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

let server: TestServer;
let operator: Caller;
let csv: string;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "approver"]);
  operator = await server.newUser(["operator"]);
  csv = await settledDayWith(server.deps.config.DATABASE_URL ?? "", { minus_one: 1 });
});
afterAll(() => server.close());

const { lane, day } = SETTLED_DAY;
const upload = (more: Readonly<Record<string, string>> = {}, body = csv) => {
  const query = new URLSearchParams({ lane, day, file_name: "statement.csv", ...more });
  return operator.send("POST", `/api/statements?${query.toString()}`, {
    body,
    headers: { "content-type": "text/csv" },
  });
};

test("returns the suggested mapping until it is confirmed", async () => {
  const { status, json } = await upload();
  expect(status).toBe(422);
  expect(json).toMatchObject({
    code: "reading_unconfirmed",
    missing: [],
    mapping: { zone: "UTC", amounts: "plain", columns: { code: "Transaction Code" } },
  });
});

test("loads and compares a statement once", async () => {
  const first = await upload({ confirm_mapping: "true", zone: "UTC" });
  expect([first.status, first.json]).toMatchObject([
    201,
    {
      statement: { lane, day, lines: 10, mapping_version: 1, is_new: true, state: "current" },
      comparison: {
        payouts: 10,
        matched: 10,
        others: 0,
        breaks: { amount: 1 },
        closed: 0,
        reopened: 0,
        has_balances: false,
      },
    },
  ]);
  const again = await upload();
  expect(again.json.statement).toEqual({ ...first.json.statement, is_new: false });
});

test("stores the mapping that the form has shown, without columns and words that it removed", async () => {
  const columns = ["Transaction Code=code", "Amount=amount", "Status=status"];
  const query = new URLSearchParams({ lane, day, file_name: "a.csv", words: "" });
  for (const each of columns) query.append("columns", each);
  const asked = await operator.send("POST", `/api/statements?${query.toString()}`, {
    body: csv,
    headers: { "content-type": "text/csv" },
  });
  expect(asked.json.mapping).toMatchObject({
    columns: { code: "Transaction Code", amount: "Amount", status: "Status" },
    words: {},
    sign: "none",
  });
  expect((await upload({ confirm_mapping: "false" })).json.code).toBe("reading_unconfirmed");
  const contradiction = await upload({ words: "failed=completed" });
  expect(contradiction.json.places).toMatchObject([{ place: "query.columns" }]);
});

test("lets an approver decide about a file that replaces a compared one", async () => {
  const { json } = await upload({ opening: "9", closing: "9", deposits: "0" });
  expect(json).toMatchObject({ statement: { state: "proposed" }, comparison: null });
  const { id } = json.statement;
  const listed = await server.as("viewer").get("/api/statements");
  expect(listed.json.items).toMatchObject([
    {
      id,
      day,
      lines: 10,
      has_balances: true,
      is_own: false,
      approvers: ["approver"],
      replaces: { has_balances: false },
    },
  ]);
  expect((await operator.get("/api/statements")).json.items).toMatchObject([{ is_own: true }]);
  const tasks = async (by: Caller) => (await by.get("/api/home/tasks")).json.reconciliation;
  const badge = async (by: Caller) => (await by.get("/api/frame")).json.reconcile;
  const breaks = { count: 1, oldest_at: expect.any(String) };
  expect(await tasks(operator)).toEqual({ breaks, break_proposals: 0, statements: [], days: [] });
  const none = { count: 0, oldest_at: null };
  expect(await tasks(server.as("approver"))).toMatchObject({
    breaks: none,
    statements: [{ id, day }],
  });
  expect(await tasks(server.as("viewer"))).toMatchObject({ breaks: none, statements: [] });
  expect([await badge(operator), await badge(server.as("viewer"))]).toEqual([1, 0]);
  const at = `/api/statements/${id}/decide`;
  expect((await operator.post(at, { agree: true })).status).toBe(403);
  const decided = await server.as("approver").post(at, { agree: true });
  expect(decided.json).toMatchObject({
    statement: { id, state: "current" },
    comparison: { breaks: { amount: 1, unexplained_movement: 1 } },
  });
  const again = await server.as("approver").post(at, { agree: false });
  expect(again.json.code).toBe("content_changed");
});

test("asks for the number of lines outside the day", async () => {
  const late = `WD,PRLATE,INR,1.00,0.00,Completed,2026-11-28T00:00:00Z\n`;
  const asked = await upload({}, `${csv}${late}`);
  expect(asked.json).toMatchObject({ code: "reading_unconfirmed", outside_day: 1 });
  expect(asked.json.detail).toMatch(/^1 line has a time outside /);
  const cut = await upload({ lines: "12", total: "1" }, csv.replace(",Completed,", ",completed,"));
  expect(cut.json).toMatchObject({
    code: "file_unreadable",
    problems: [{ found: "10 lines" }, {}],
  });
});

test("lists the rows that cannot be read, and refuses unknown values", async () => {
  const broken = await upload({}, `${csv}WD,PR,INR,x,1,Completed,\n`);
  expect(broken.json).toMatchObject({
    code: "file_unreadable",
    problems: [{ line: 12, column: "Amount", found: "x" }],
  });
  expect((await upload({ zone: "Mars" })).json.places).toMatchObject([{ place: "query.zone" }]);
  const finer = await upload({ opening: "1.001" });
  expect([finer.status, finer.text]).toEqual([
    400,
    expect.stringContaining("must be an amount in INR with at most 2 decimals"),
  ]);
  expect((await upload({ lane: "M9/INR" })).json.code).toBe("not_found");
});

test("suggests columns and the amount format by the first values, and shows these values", async () => {
  const [header = "", ...lines] = csv.trim().split("\n");
  const code = header.split(",").indexOf("Transaction Code");
  const named = header.replace("Transaction Code", "Merchant Order").concat(",Order No");
  const numbered = lines.map((line, at) => `${line},WD${at}`);
  const answer = await upload({ confirm_mapping: "false" }, [named, ...numbered].join("\n"));
  expect(answer.json).toMatchObject({ mapping: { columns: { code: "Merchant Order" } } });
  const { names, samples } = answer.json as { names: string[]; samples: string[][] };
  expect(samples[names.indexOf("Merchant Order")]).toEqual(
    lines.slice(0, 3).map((line) => line.split(",")[code]),
  );
});
