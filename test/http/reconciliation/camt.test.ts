/** camt.053 statements over HTTP: the steps of a CSV file, with the balances of the file. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

let server: TestServer;
let operator: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["approver"]);
  operator = await server.newUser(["operator"]);
  await settledDayWith(server.deps.config.DATABASE_URL ?? "", {});
});
afterAll(() => server.close());

const { lane, day } = SETTLED_DAY;
const upload = (body: string, more: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams({ lane, day, file_name: "statement.xml", ...more });
  return operator.send("POST", `/api/statements?${query.toString()}`, {
    body,
    headers: { "content-type": "application/xml" },
  });
};

test("asks once for the mapping of the elements, with the signs of camt.053", async () => {
  const { status, json } = await upload(camtOfDay());
  expect(status).toBe(422);
  expect(json).toMatchObject({
    code: "reading_unconfirmed",
    missing: [],
    mapping: {
      columns: { code: "EndToEndId", gateway_number: "TxId", fee: "Chrgs" },
      sign: "negative",
      words: { book: "completed", pdng: "pending" },
    },
  });
});

test("refuses a file that is cut off, of another day or with other balances", async () => {
  const problemsOf = async (body: string, more = {}) =>
    (await upload(body, { confirm_mapping: "true", ...more })).json;
  expect(await problemsOf(camtOfDay({ file: ["truncated"] }))).toMatchObject({
    code: "file_unreadable",
    problems: expect.arrayContaining([
      expect.objectContaining({ column: "TxsSummry/TtlNtries/NbOfNtries", expected: "10" }),
    ]),
  });
  expect(await problemsOf(camtOfDay({ file: ["cut_row"] }))).toMatchObject({
    problems: [{ expected: "a complete XML file" }],
  });
  const other = await problemsOf(
    camtOfDay().replace(/<Dt>\d+-\d+-\d+<\/Dt>/g, "<Dt>2026-11-25</Dt>"),
  );
  expect(other).toMatchObject({
    problems: [{ column: "Bal/Dt", expected: day, found: "2026-11-25" }],
  });
  const given = { opening: "1.00", closing: "2.00", deposits: "0.00" };
  expect(await problemsOf(camtOfDay(), given)).toMatchObject({
    problems: [{ column: "Bal", found: "opening 1.00, closing 2.00, deposits 0.00" }],
  });
});

test("compares the entries and balances of a file without defects, once", async () => {
  const first = await upload(camtOfDay(), { confirm_mapping: "true" });
  expect([first.status, first.json]).toMatchObject([
    201,
    {
      statement: { lines: 10, is_new: true, state: "current" },
      comparison: { payouts: 10, matched: 10, breaks: {}, has_balances: true },
    },
  ]);
  expect((await upload(camtOfDay())).json.statement).toMatchObject({ is_new: false });
});

test("finds each defect, and the movement of the balance that it leaves unexplained", async () => {
  const defects = { minus_one: 1, wrong_fee: 1, missing: 1, other_currency: 1, wrong_status: 1 };
  const { json } = await upload(camtOfDay({ rows: defects, file: ["shuffled"] }));
  expect(json.statement.state).toBe("proposed");
  const at = `/api/statements/${json.statement.id}/decide`;
  const { comparison } = (await server.as("approver").post(at, { agree: true })).json;
  expect(comparison.breaks).toEqual({
    amount: 1,
    fee: 1,
    missing_at_gateway: 1,
    currency: 1,
    status: 1,
    unexplained_movement: 1,
  });
});
