import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch, declineAll } from "../../support/ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

const byText = (one: string, other: string): number => one.localeCompare(other);

let server: TestServer;
let batchId: string;

/** State and reason by transaction code. */
const ENDED: Readonly<Record<string, readonly [state: string, reason: string | null]>> = {
  BANK1: ["declined", "refused: bank not found"],
  BANK2: ["declined", "refused: bank not found"],
  IFSC1: ["declined", "refused: invalid IFSC"],
  THAI1: ["declined", "refused: bank not found"],
  HELD1: ["on_hold", "amount_mismatch: the gateway reports INR 1"],
  HELD2: ["on_hold", "amount_mismatch: the gateway reports INR 2"],
  DOUBT1: ["in_doubt", "no_answer: no response (ETIMEDOUT)"],
  BACK1: ["returned", null],
  LATER1: ["approved", "deferred: insufficient balance"],
  FINE1: ["settled", "duplicate_matched"],
  FINE2: ["approved", null],
};

beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "uploader", "auditor"]);
  const { ledger, databaseUrl } = server.deps;
  const rows = Object.keys(ENDED).map((code, at) => ({
    code,
    amount: `${at + 1}.50`,
    currency: code === "THAI1" ? ("THB" as const) : ("INR" as const),
  }));
  ({ id: batchId } = await approvedBatch(ledger, rows));
  for (const [code, [state, reason]] of Object.entries(ENDED)) {
    await force(
      databaseUrl,
      `update payouts set state = $2, reason = $3, updated_at = $4, gateway_number = '=1+1 ' || $1
       where id = (select payout_id from payout_details where transaction_code = $1)`,
      [code, state, reason, code === "BANK1" ? "2026-01-01T00:00:00Z" : "2026-02-01T00:00:00Z"],
    );
  }
});
afterAll(() => server.close());

const asked = async (search = "") =>
  (await server.as("viewer").get(`/api/failures?${search}`)).json;
type Group = Awaited<ReturnType<typeof asked>>["groups"][number];
const named = (groups: Group[]) =>
  groups.map(({ state, reason, currency, count, amount }: Group) =>
    [state, reason, currency, count, amount].join(" "),
  );

describe("failures", () => {
  test("are grouped by state, cause, currency and bank, largest first, with exact sums", async () => {
    const { groups, groups_total } = await asked();
    const told = named(groups);
    expect(told.slice(0, 2).sort()).toEqual([
      "declined refused: bank not found INR 2 4.00",
      "on_hold amount_mismatch INR 2 12.00",
    ]);
    expect(told.slice(2).sort()).toEqual([
      "approved deferred: insufficient balance INR 1 9.50",
      "declined refused: bank not found THB 1 4.50",
      "declined refused: invalid IFSC INR 1 3.50",
      "in_doubt no_answer INR 1 7.50",
      "returned  INR 1 8.50",
    ]);
    expect(groups_total).toBe(7);
  });

  test("have a period, an example, their meaning and what to do", async () => {
    const { groups } = await asked("reason=refused&currency=INR");
    expect(groups[0]).toMatchObject({
      oldest_at: "2026-01-01T00:00:00.000Z",
      newest_at: "2026-02-01T00:00:00.000Z",
      example: "BANK2",
      meaning: "The gateway refused the payout. Details: bank not found",
      can_retry: true,
      next_actor: "maker",
    });
    const { groups: onHold } = await asked("state=on_hold");
    expect(onHold[0]).toMatchObject({ can_retry: false, next_actor: "operator" });
  });

  test("take the age of a doubt from its begin, not from resends or status queries", async () => {
    const began = "2025-12-24T18:00:00.000Z";
    await query(
      server.deps.databaseUrl,
      "update payouts set in_doubt_since = $1, last_sent_at = now() where state = 'in_doubt'",
      [began],
    );
    const { groups } = await asked("state=in_doubt");
    expect(groups).toMatchObject([{ oldest_at: began, newest_at: began }]);
  });

  test("have totals per state over all groups", async () => {
    const { totals } = await asked("state=declined,on_hold");
    expect(totals).toEqual([
      {
        state: "declined",
        count: 4,
        sums: expect.arrayContaining([
          { currency: "INR", amount: "7.50" },
          { currency: "THB", amount: "4.50" },
        ]),
      },
      { state: "on_hold", count: 2, sums: [{ currency: "INR", amount: "12.00" }] },
    ]);
  });

  test.each([
    ["currency=THB", 1],
    ["state=in_doubt,returned", 2],
    ["changed_from=2026-01-15T00:00:00Z", 8],
    ["changed_to=2026-01-15T00:00:00Z", 1],
    ["reason=deferred", 1],
    ["reason=refused:%20invalid%20IFSC", 1],
    ["batch=B0000000000000", 0],
    ["reason=no_answer&state=declined", 0],
  ])("are filtered by %s", async (search, count) => {
    const { groups } = await asked(search);
    expect(groups.reduce((sum: number, group: Group) => sum + group.count, 0)).toBe(count);
  });

  test("match the list of payouts in the count of each group", async () => {
    const { groups } = await asked(`batch=${batchId}`);
    for (const { state, reason, currency, bank, count } of groups) {
      const search = new URLSearchParams({
        batch: batchId,
        state,
        currency,
        bank,
        ...(reason === null ? {} : { reason }),
      });
      const { json } = await server.as("viewer").get(`/api/payouts?${search.toString()}`);
      expect({ search: search.toString(), count: json.count }).toEqual({
        search: search.toString(),
        count,
      });
    }
  });

  test.each(["state=settled", "state=approved,submitting", "colour=red"])(
    "refuse %s",
    async (search) => {
      expect((await asked(search)).code).toBe("invalid_request");
    },
  );
});

describe("the failures file", () => {
  test("has a row per payout, no full account and no runnable formula", async () => {
    const { text, headers } = await server.as("viewer").get("/api/failures/file?format=csv");
    expect(headers["content-disposition"]).toBe('attachment; filename="failures.csv"');
    const [header, ...lines] = text.trim().split("\n");
    expect(header).toContain("transaction_code,batch,line,state,reason,meaning,next_step");
    expect(lines.map((line) => line.slice(0, line.indexOf(","))).sort(byText)).toEqual(
      Object.keys(ENDED)
        .filter((code) => !code.startsWith("FINE"))
        .sort(byText),
    );
    expect(lines.filter((line) => line.includes("yes, with new details")).length).toBe(4);
    expect(text).not.toMatch(/\d{9,}/);
  });

  test("can hold one group, and its download is on the audit log", async () => {
    const search = "state=declined&reason=refused:%20bank%20not%20found&currency=INR";
    const { text } = await server.as("uploader").get(`/api/failures/file?${search}`);
    expect(text.trim().split("\n")).toHaveLength(3);
    expect(text).toContain("'=1+1 BANK2");
    const { json } = await server.as("auditor").get("/api/audit?action=download_failures");
    expect(json.items[0].facts).toMatchObject({ currency: "INR", state: ["declined"] });
  });
});

test("failures name the batch that retries payouts, and no longer offer to pay those again", async () => {
  const { ledger, databaseUrl } = server.deps;
  const rows = ["AGAIN1", "AGAIN2"].map((code) => ({ code, amount: "7.00" }));
  const batch = await approvedBatch(ledger, rows);
  await force(
    databaseUrl,
    "update payouts set state = 'declined', reason = 'failed_at_gateway' where batch_id = $1",
    [batch.id],
  );
  const groupOf = async () => (await asked(`batch=${batch.id}`)).groups;
  const left = (count: number) => ({ batch_id: batch.id, name: batch.fileName, count });
  expect(await groupOf()).toMatchObject([
    { count: 2, can_retry: true, batches: [left(2)], retry_batches: [] },
  ]);

  const retry = (line: number) =>
    server
      .as("uploader")
      .post(`/api/batches/${batch.id}/retry-batch`, { lines: [line], reason: "confirmed" });
  const first = (await retry(2)).json.batch_id;
  const one = { batch_id: first, state: "draft", send: null, count: 1 };
  expect(await groupOf()).toMatchObject([
    { count: 2, can_retry: true, batches: [left(1)], retry_batches: [one] },
  ]);

  const second = (await retry(3)).json.batch_id;
  expect(await groupOf()).toMatchObject([
    {
      can_retry: false,
      retry: null,
      next_step: "Another batch retries it. Do not upload it in a new file.",
      batches: [],
      retry_batches: [one, { ...one, batch_id: second }],
    },
  ]);
  const file = await server.as("viewer").get(`/api/failures/file?batch=${batch.id}`);
  const [header = "", ...lines] = file.text.trim().split(/\r?\n/);
  const place = header.split(",").indexOf("retried_in");
  expect(lines.map((line: string) => line.split(",")[place] ?? "").sort(byText)).toEqual(
    [first, second].sort(byText),
  );
});

test("a declined payout whose retry has paid or failed leaves the failures, and its amount counts once", async () => {
  const { ledger, databaseUrl } = server.deps;
  const rows = ["ONCE1", "ONCE2"].map((code) => ({ code, amount: "7.00" }));
  const batch = await approvedBatch(ledger, rows);

  await declineAll(ledger, batch.id);
  const { json } = await server
    .as("uploader")
    .post(`/api/batches/${batch.id}/retry-batch`, { lines: [2, 3], reason: "confirmed" });
  const become = (state: string, reason: string | null, line: number) =>
    force(
      databaseUrl,
      "update payouts set state = $1, reason = $2 where batch_id = $3 and line = $4",
      [state, reason, json.batch_id, line],
    );
  const { period } = (await server.as("viewer").get("/api/reports/results")).json;
  expect(period).toMatchObject([{ declined: 2, declined_amount: "14.00" }]);
  const countOf = async (search: string) =>
    (await asked(search)).totals.reduce(
      (sum: number, { count }: { count: number }) => sum + count,
      0,
    );
  expect(await countOf(`batch=${batch.id}`)).toBe(2);

  await become("settled", null, 2);
  await become("declined", "failed_at_gateway", 3);
  expect(await countOf(`batch=${batch.id}`)).toBe(0);
  expect(await asked(`batch=${json.batch_id}`)).toMatchObject({
    totals: [{ state: "declined", count: 1, sums: [{ currency: "INR", amount: "7.00" }] }],
  });
  const file = await server.as("viewer").get(`/api/failures/file?batch=${batch.id}`);
  expect(file.text.trim().split("\n")).toHaveLength(1);
  const listed = async (result: string) =>
    (await server.as("viewer").get(`/api/payouts?batch=${batch.id}&retry_result=${result}`)).json
      .count;
  expect([await listed("none"), await listed("paid")]).toEqual([0, 1]);

  const home = (await server.as("viewer").get("/api/home/figures")).json;
  expect(home.period).toMatchObject({ settled: 0, declined: 0 });
  expect((await server.as("viewer").get("/api/reports/results")).json.period).toEqual([]);
});
