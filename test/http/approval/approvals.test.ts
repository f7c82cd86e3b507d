import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "#ledger/ledger.ts";
import { exactDuplicatesIn } from "#views/approval/exact-duplicates.ts";
import { LARGE_BATCH_ROWS } from "#views/approval/anomalies.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { withTableLocked } from "../../support/servers/table-lock.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
let maker: Caller;
let checker: Caller;
beforeAll(async () => {
  server = await startTestServer();
  [maker, checker] = [
    await server.newUser(["uploader", "approver"], "Mira Maker"),
    await server.newUser(["approver"], "Chen Checker"),
  ];
  await stepUp();
});
afterAll(() => server.close());

const stepUp = () =>
  server.deps.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(server.deps.clock.nowMs() + 600_000) })
    .execute();

async function upload(): Promise<Batch> {
  const { ledger, database } = server.deps;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)), `user:${maker.userId}`);
  await sendForApproval(database, batch);
  return batch;
}
const approval = ({ contentDigest }: Batch, amount: string) => ({
  content_digest: contentDigest,
  totals: [{ currency: "INR", amount }],
});

describe("approval", () => {
  test("shows an urgent priority set at upload, and lets the approver change it", async () => {
    const bring = (priority: string) =>
      maker.post(`/api/batches?file_name=pay.csv&priority=${priority}`, fileText(rowsOf(2)));
    const { json } = await bring("urgent");
    const path = `/api/batches/${json.batch.batch_id}`;
    const sheet = async () => (await checker.get(`${path}/approval`)).json;
    expect(await sheet()).toMatchObject({ priority: "urgent", you: { prioritize: { may: true } } });
    await checker.post(`${path}/priority`, { priority: "low", reason: "it is not" });
    expect(await sheet()).toMatchObject({ priority: "low" });
    expect((await bring("first")).status).toBe(400);
  });

  test("is open to everybody except the batch's maker", async () => {
    const { id } = await upload();
    const seenBy = async (caller: Caller) => {
      const { json } = await caller.get("/api/approvals");
      return json.items.find((each: { batch_id: string }) => each.batch_id === id);
    };
    expect(await seenBy(maker)).toMatchObject({ mine: false, own: true, people: 2, missing: 1 });
    expect(await seenBy(checker)).toMatchObject({
      mine: true,
      maker: { name: "Mira Maker" },
      totals: [{ currency: "INR", amount: "300.00", payouts: 3 }],
      blocked: null,
    });
    const { json } = await checker.get("/api/approvals");
    expect(json.mine).toBeGreaterThan(0);
  });

  test("of one's own batch is refused by the page and by the API", async () => {
    const batch = await upload();
    const { json: sheet } = await maker.get(`/api/batches/${batch.id}/approval`);
    expect(sheet.you.approve).toEqual({
      may: false,
      why_not: "You uploaded or edited this batch: another person must approve it.",
    });
    const { status, json } = await approveAt(
      maker,
      `/api/batches/${batch.id}`,
      approval(batch, "300.00"),
    );
    expect([status, json.code]).toEqual([403, "own_batch"]);
  });

  test("needs a fresh proof of identity", async () => {
    const batch = await upload();
    const fresh = await server.newUser(["approver"]);
    const { status, json } = await approveAt(
      fresh,
      `/api/batches/${batch.id}`,
      approval(batch, "300.00"),
    );
    expect([status, json.code]).toEqual([403, "step_up_required"]);
  });

  test.each([
    ["another total", [{ currency: "INR", amount: "300.01" }], "totals_differ"],
    ["no total", [], "totals_differ"],
    [
      "a total without an amount",
      [...approvalTotals(), { currency: "THB", amount: "1" }],
      "totals_differ",
    ],
  ])("is refused with %s", async (_what, totals, code) => {
    const batch = await upload();
    const body = { content_digest: batch.contentDigest, totals };
    const { status, json } = await approveAt(checker, `/api/batches/${batch.id}`, body);
    expect([status, json.code]).toEqual([422, code]);
  });

  test("is refused when the content changed since the page was opened", async () => {
    const batch = await upload();
    await server.deps.database
      .updateTable("batches")
      .set({ content_digest: "edited" })
      .where("id", "=", batch.id)
      .execute();
    const { status, json } = await approveAt(
      checker,
      `/api/batches/${batch.id}`,
      approval(batch, "300.00"),
    );
    expect([status, json.code]).toEqual([409, "content_changed"]);
  });

  test("by a second person releases the batch", async () => {
    const batch = await upload();
    const { status, json } = await approveAt(
      checker,
      `/api/batches/${batch.id}`,
      approval(batch, "300.00"),
    );
    expect([status, json]).toEqual([200, { state: "approved", missing: 0 }]);
    const { json: page } = await checker.get(`/api/batches/${batch.id}`);
    expect(page).toMatchObject({
      state: "approved",
      policy: { missing: 0, approvals: [{ name: "Chen Checker", live: true }] },
      you: { approve: { may: false }, pause: { may: false, why_not: "You are not an operator." } },
    });
    const again = await approveAt(checker, `/api/batches/${batch.id}`, approval(batch, "300.00"));
    expect([again.status, again.json.code]).toEqual([409, "wrong_state"]);
  });

  test("can be rejected with a reason after a question to the maker", async () => {
    const { id } = await upload();
    const ask = await checker.post(`/api/batches/${id}/question`, { question: "Who is row 2?" });
    expect(ask.status).toBe(204);
    const no = await checker.post(`/api/batches/${id}/reject`, { reason: "Row 2 is unknown." });
    expect(no.status).toBe(204);
    expect((await maker.get(`/api/batches/${id}`)).json).toMatchObject({
      state: "needs_correction",
      reason: "Row 2 is unknown.",
    });
    const twice = await checker.post(`/api/batches/${id}/reject`, { reason: "Again." });
    expect(twice.json.code).toBe("wrong_state");
  });

  test("keeps the reason for sending back, even after the last wrong row is removed", async () => {
    const rows = rowsOf(3, (at) => (at > 0 ? { ifsc: "HDFCO000001" } : {}));
    const uploaded = await maker.post("/api/batches?file_name=back.csv", fileText(rows));
    const path = `/api/batches/${uploaded.json.batch.batch_id}`;
    await maker.post(`${path}/request-approval`, { leave_out: true });
    await checker.post(`${path}/reject`, { reason: "Rows 2 and 3 belong to it." });
    const { text } = await maker.get(`${path}/rejects`);
    const [names, second, third] = text.replaceAll("HDFCO", "HDFC0").split("\n");
    const repair = async (row = "") => {
      await maker.post(`${path}/corrections?file_name=r.csv`, `${names}\n${row}\n`);
      return (await maker.get(path)).json;
    };
    const back = { state: "needs_correction", reason: "Rows 2 and 3 belong to it." };
    expect(await repair(second)).toMatchObject(back);
    expect(await repair(third)).toMatchObject({ state: "draft", reason: null });
  });

  test("shows anomalies and the checks made", async () => {
    const { id } = await upload();
    const { json } = await checker.get(`/api/batches/${id}/approval`);
    const found = json.anomalies.found.map(({ check }: { check: string }) => check);
    expect(found).toContain("other_account");
    expect(json.anomalies.checks.length).toBeGreaterThan(7);
    expect(json.anomalies.found.at(-1).rows[0]).toMatchObject({ beneficiary: "Asha Rao" });
  });
});

describe("a large batch", () => {
  test("is checked by one connection when the caller stops waiting, however often the page is opened", async () => {
    const { ledger, config } = server.deps;
    const { batch } = await ingestFile(ledger, fileText(rowsOf(1, () => ({ amount: "1.50" }))));
    const looking = () => exactDuplicatesIn(batch, server.deps);
    const url = config.DATABASE_URL ?? "";
    const waiting = await withTableLocked(url, "payout_details", async (transaction) => {
      const opened = await Promise.all(Array.from({ length: 12 }, looking));
      expect(new Set(opened)).toEqual(new Set([null]));
      const { rows } = await sql`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        transaction,
      );
      return rows.length;
    });
    expect(waiting).toBe(1);
    await eventually("it is told", async () => (await looking())?.length === 0);
  });

  test("is checked after the request for approval, and the findings are stored", async () => {
    const { ledger, database } = server.deps;
    const rows = rowsOf(LARGE_BATCH_ROWS, (at) => ({
      name: at === 0 ? "\u0410sha Rao" : "Asha Rao",
    }));
    const { batch } = await ingestFile(ledger, fileText(rows), `user:${maker.userId}`);
    const handedIn = await maker.post(`/api/batches/${batch.id}/request-approval`, {});
    expect(handedIn.status).toBe(200);
    const kept = () =>
      database.selectFrom("batch_anomalies").selectAll().where("batch_id", "=", batch.id).execute();
    await eventually("the batch is looked through", async () => (await kept()).length === 1);

    const seen = async () =>
      (await checker.get(`/api/batches/${batch.id}/approval`)).json.anomalies as {
        at: string;
        found: { check: string; count: number; rows: unknown[] }[];
      };
    const { at, found } = await seen();
    expect(at).toBe((await kept())[0]?.at.toISOString());
    expect(found.map(({ check, count }) => [check, count])).toContainEqual(["mixed_scripts", 1]);
    expect(JSON.stringify(await kept())).not.toMatch(/rao/i);

    // The stored findings are shown. With other content they do not apply.
    await database.updateTable("batch_anomalies").set({ flags: "[]" }).execute();
    expect((await seen()).found).toEqual([]);
    await database.updateTable("batch_anomalies").set({ content_digest: "another" }).execute();
    await eventually("it is looked through anew", async () => (await seen())?.found.length > 0);
  });

  test("cannot be approved before its anomalies are visible, wherever it was uploaded", async () => {
    const { ledger, database } = server.deps;
    const rows = fileText(rowsOf(LARGE_BATCH_ROWS));
    const { batch } = await ingestFile(ledger, rows, "cli");
    const amount = `${LARGE_BATCH_ROWS * 100}.00`;
    // The page, which starts the check too, is not loaded.
    const acknowledged = [{ finding: "other_account", rows: LARGE_BATCH_ROWS }];
    const body = { ...approval(batch, amount), acknowledged };
    const approve = () => checker.post(`/api/batches/${batch.id}/approve`, body);
    const early = await approve();
    expect([early.status, early.json.code]).toEqual([409, "anomalies_pending"]);

    // The refusal itself started the check. Findings for other content do not count.
    const kept = database.updateTable("batch_anomalies").where("batch_id", "=", batch.id);
    await eventually("it is looked through", async () => {
      const { numUpdatedRows } = await kept
        .set({ content_digest: "another" })
        .where("content_digest", "=", batch.contentDigest)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
    expect((await approve()).json.code).toBe("anomalies_pending");
    await eventually("it is looked through anew", async () => (await approve()).status === 200);
  });
});

function approvalTotals() {
  return [{ currency: "INR", amount: "300.00" }];
}

describe("approval rules", () => {
  test("are changed by an admin with a proof, after a preview", async () => {
    const rules = [
      { currency: "INR", measure: "row", above: "100", people: 3 },
      { currency: "USDT", measure: "row", above: "100", people: 3 },
    ];
    const body = { base: 2, rules, hours: 12 };
    expect((await checker.send("PUT", "/api/approval-rules", { body })).status).toBe(403);
    const admin = server.as("admin");
    const tried = await admin.post("/api/approval-rules/preview", { base: 3, rules: [] });
    expect(tried.json.items[0]).toMatchObject({ now: 2, by_rules: 3 });
    const { status, json } = await admin.send("PUT", "/api/approval-rules", { body });
    expect([status, json]).toEqual([200, { ...body, base_is_default: false }]);
    expect((await maker.get("/api/approval-rules")).json).toEqual(json);
    const { json: line } = await admin.send("PUT", "/api/approval-rules", {
      body: { ...body, rules: [{ ...rules[0], above: "a lot" }] },
    });
    expect(line).toMatchObject({
      code: "invalid_request",
      places: [{ place: "body.rules.0.above" }],
    });
    const { json: idle } = await admin.send("PUT", "/api/approval-rules", {
      body: { ...body, rules: [...rules, { ...rules[0], currency: "INRR" }] },
    });
    expect(idle).toMatchObject({
      code: "invalid_request",
      places: [{ place: "body.rules.2.currency" }],
    });
  });
});
