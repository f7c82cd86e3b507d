/** The search text of the list of payouts, the settlement time, and the counts of the search. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch, claimOf } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const ROWS = 20;
const CODE = "77001234";
const OTHERS = 7;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "operator"]);
  const { ledger, databaseUrl } = server.deps;
  await query(databaseUrl, "insert into settings values ('approval people', '1')");
  // Each number begins or ends with the same digits in a different column.
  const rows = rowsOf(ROWS, (index) => ({
    name: index === 3 ? "Wendy Moss" : "Arun Kumar",
    amount: index === 0 ? "7700.00" : "10.00",
    account: index === 2 ? "50100000007700" : `5010000001${1000 + index}`,
    code: index === 1 ? CODE : `TEXT-${index}`,
  }));
  const { id } = await approvedBatch(ledger, rows);
  const attempts = await ledger.payout.openAttempts(claimOf(id, { sizeMax: 8 }));
  for (const [at, { payoutId, seq }] of attempts.entries()) {
    const gatewayNumber = at === OTHERS ? "7700999" : `88${at}`;
    const move = {
      payoutId,
      reason: null,
      dueInMs: 0,
      actor: "test",
      evidence: null,
      gatewayNumber,
    };
    await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    if (at < 2)
      await ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
});
afterAll(() => server.close());

const list = async (filters: string) =>
  (await server.as("viewer").get(`/api/payouts?sort=oldest&${filters}`)).json;
const codes = async (filters: string): Promise<string[]> =>
  (await list(filters)).items.map(({ code }: { code: string }) => code);

test.each([
  [
    "digits as amount, code, end of an account and gateway number",
    "7700",
    ["TEXT-0", CODE, "TEXT-2", "TEXT-7"],
  ],
  ["the beginning of a code of digits", "77001", [CODE]],
  ["the beginning of a gateway number of digits", "770099", ["TEXT-7"]],
  ["a code in small letters", "text-19", ["TEXT-19"]],
  ["a name", "wendy", ["TEXT-3"]],
  ["name and amount", "arun INR 7,700", ["TEXT-0"]],
  ["a full account number, which it does not find", "50100000007700", []],
  ["a text without letters and digits", "??", []],
])("the list reads %s", async (_what, text, expected) => {
  expect(await codes(`text=${encodeURIComponent(text)}`)).toEqual(expected);
});

test("combines the text with other filters, pages, sums and the file", async () => {
  expect(await codes("text=7700&amount_from=11")).toEqual(["TEXT-0"]);
  expect(await codes("text=7700&state=approved,settled")).toEqual(["TEXT-0", CODE]);
  const first = await list("text=7700&limit=3");
  expect(first).toMatchObject({ count: 4, items: { length: 3 } });
  const last = await list(`text=7700&limit=3&cursor=${first.next}`);
  expect(last.items.map(({ code }: { code: string }) => code)).toEqual(["TEXT-7"]);
  const { json } = await server.as("viewer").get("/api/payout-summary?text=7700");
  expect(json).toMatchObject({ count: 4, totals: [{ amount: "7730.00", payouts: 4 }] });
  const { text } = await server.as("viewer").get("/api/payout-export?text=7700");
  expect(text.trim().split("\n")).toHaveLength(5);
});

test("lists, filters and exports the time of settlement", async () => {
  const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString();
  const settled = ["TEXT-0", CODE];
  expect(await codes(`settled_from=${hour(-1)}`)).toEqual(settled);
  expect(await codes(`settled_from=${hour(-1)}&settled_to=${hour(1)}&text=7700`)).toEqual(settled);
  expect(await codes(`settled_from=${hour(1)}`)).toEqual([]);
  expect(await codes(`settled_to=${hour(-1)}`)).toEqual([]);
  const { items } = await list("text=7700");
  const times = items.map(({ settled_at }: { settled_at: string | null }) => settled_at);
  expect(times).toEqual([expect.any(String), expect.any(String), null, null]);
  const page = await server.as("viewer").get(`/api/payouts/${CODE}`);
  expect(page.json.settled_at).toBe(times[1]);
  const { text } = await server.as("viewer").get(`/api/payout-export?code=${CODE}`);
  const [header = "", line = ""] = text.replace("\ufeff", "").trim().split("\n");
  expect(line.split(",")[header.split(",").indexOf("settled_at")]).toBe(times[1]);
});

test("the search counts what it does not list, and names the filter of the whole list", async () => {
  const search = async (q: string) => (await server.as("operator").post("/api/search", { q })).json;
  const many = await search("arun");
  expect(many).toMatchObject({ payouts: { length: 8 }, payouts_count: ROWS - 1, count_max: 1_000 });
  expect(many.payouts_filter).toEqual({ text: "arun" });
  expect(await search("wendy")).toMatchObject({ payouts_count: 1, batches_count: 0 });
  expect(await search("test.csv")).toMatchObject({ batches_count: 1 });
  const byAccount = await search("50100000007700");
  expect(byAccount).toMatchObject({ payouts_count: 1, payouts: [{ code: "TEXT-2" }] });
  const { account } = byAccount.payouts_filter;
  const { json } = await server.as("operator").get(`/api/payouts?account=${account}`);
  expect(json.items).toMatchObject([{ code: "TEXT-2" }]);
});
