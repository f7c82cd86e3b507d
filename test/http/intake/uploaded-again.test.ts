/** Response to a file that exists already, and to a batch whose request for approval is refused. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findRequestedCanary } from "#ledger/payout/canaries.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Answer, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let files = 0;
const file = () => fileText([{ account: String(70_100_000_000_000 + (files += 1)) }]);
const upload = (text: string, query = ""): Promise<Answer> =>
  server.as("uploader").post(`/api/batches?file_name=a.csv${query}`, text);
const submit = (id: string, body = {}): Promise<Answer> =>
  server.as("uploader").post(`/api/batches/${id}/request-approval`, body);
const described = async (id: string) => {
  const { json } = await server.as("admin").get(`/api/audit?object=${id}&action=describe`);
  return json.items.map(({ facts }: { facts: object }) => facts);
};
const canaryOf = (id: string) => findRequestedCanary(server.deps.database, id);

test("applies the latest settings until approval is requested, and records them on the audit log", async () => {
  const text = file();
  const { json } = await upload(text, "&expect_sum=INR=1&name=Salaries");
  const id = json.batch.batch_id;
  expect((await submit(id)).json).toMatchObject({ code: "not_ready" });
  const again = await upload(text, "&expect_sum=INR=100.00&expect_rows=1&canary=1");
  expect(again.json).toMatchObject({ is_new: false, batch: { batch_id: id, name: "Salaries" } });
  expect(await canaryOf(id)).toBe(1);
  expect(await described(id)).toEqual([
    { name: "Salaries", purpose: null, rows: 1, sums: { INR: "100.00" } },
  ]);
  expect((await submit(id)).status).toBe(200);
});

test("keeps the settings afterwards, and refuses contradicting ones", async () => {
  const text = file();
  const id = (await upload(text, "&name=Salaries")).json.batch.batch_id;
  expect((await submit(id)).status).toBe(200);
  expect((await upload(text, "&expect_sum=INR=1")).json).toMatchObject({
    code: "totals_differ",
    detail: "You expected INR 1, but the payable rows total INR 100.00.",
  });
  const agreed = await upload(text, "&expect_sum=INR=100&name=Other&canary=1");
  expect(agreed.json).toMatchObject({ is_new: false, batch: { name: "Salaries" } });
  expect([await described(id), await canaryOf(id)]).toEqual([[], 0]);
});

test("applies a new priority until approval is requested, and afterwards reports the existing one", async () => {
  const text = file();
  const priority = async () => {
    const { json } = await server.as("viewer").get(`/api/batches/${id}`);
    return json.priority;
  };
  const id = (await upload(text, "&priority=low")).json.batch.batch_id;
  expect((await upload(text, "&priority=urgent")).json).toMatchObject({
    is_new: false,
    ignored_options: [],
  });
  expect(await priority()).toBe("urgent");
  await upload(text, "&priority=urgent");
  const { json } = await server.as("admin").get(`/api/audit?object=${id}&action=set_priority`);
  expect(json.items.map(({ facts }: { facts: object }) => facts)).toEqual([
    { priority: "urgent", reason: "set on re-upload" },
  ]);

  expect((await submit(id)).status).toBe(200);
  expect((await upload(text, "&priority=urgent")).json.ignored_options).toEqual([]);
  const late = await upload(text, "&priority=low&canary=2&name=Other&purpose=none");
  expect(late.json).toMatchObject({ is_new: false });
  expect(late.json.ignored_options).toEqual([
    "The batch can no longer be changed, so its name remains empty.",
    "The batch can no longer be changed, so its purpose remains empty.",
    "The batch can no longer be changed, so its canary size remains 0.",
    "The batch can no longer be changed, so its priority remains urgent.",
  ]);
  expect(await priority()).toBe("urgent");
});

test("stores no settings of a refused request for approval", async () => {
  const id = (await upload(file(), "&name=Salaries")).json.batch.batch_id;
  const other = await server.newUser(["uploader"]);
  const words = { name: "Supplier refunds", purpose: "changed", expect_rows: 99 };
  expect((await other.post(`/api/batches/${id}/request-approval`, words)).json.code).toBe(
    "not_ready",
  );
  expect(await described(id)).toEqual([]);
  const { json } = await submit(id);
  expect(json.batch).toMatchObject({ name: "Salaries", purpose: null });
});

test("refuses a send time in the request: only approvers set one", async () => {
  const id = (await upload(file())).json.batch.batch_id;
  const send = { at: "2099-12-31 09:00 UTC" };
  expect((await submit(id, { send })).json).toMatchObject({ code: "invalid_request" });
  expect((await submit(id)).status).toBe(200);
});

/** A batch from the command line, which approvers see at once, with one of two approvals. */
async function partlyApproved(text: string) {
  const { ledger, database, clock } = server.deps;
  const { batch } = await ingestFile(ledger, text, "cli:asha");
  await sql`update batches set people_needed = 3 where id = ${batch.id}`.execute(database);
  const approver = await server.newUser(["approver"]);
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(clock.nowMs() + 600_000) })
    .where("user_id", "=", approver.userId)
    .execute();
  const body = {
    content_digest: batch.contentDigest,
    totals: [{ currency: "INR", amount: "100.00" }],
  };
  expect((await approveAt(approver, `/api/batches/${batch.id}`, body)).status).toBe(200);
  return batch.id;
}
const readBatch = async (id: string) => (await server.as("viewer").get(`/api/batches/${id}`)).json;

test("changes nothing once the batch has an approval, and reports what remains", async () => {
  const text = file();
  const id = await partlyApproved(text);
  const both = await server.newUser(["uploader", "operator"]);
  const path = `/api/batches/${id}/request-approval`;
  const refused = await both.post(path, { canary: 1, priority: "urgent" });
  expect([refused.status, refused.json.code]).toEqual([409, "approval_already_requested"]);
  const again = await both.post("/api/batches?file_name=a.csv&canary=1&priority=urgent", text);
  expect(again.json.ignored_options).toEqual([
    "The batch can no longer be changed, so its canary size remains 0.",
    "The batch can no longer be changed, so its priority remains normal.",
  ]);
  expect(await readBatch(id)).toMatchObject({ priority: "normal", policy: { given: 1 } });
  expect(await canaryOf(id)).toBe(0);
});

test("lets an uploader raise a canary, but not lower it", async () => {
  const text = file();
  const id = (await upload(text)).json.batch.batch_id;
  expect(
    (await server.as("approver").post(`/api/batches/${id}/canary`, { payouts: 5 })).status,
  ).toBe(204);
  const why = "The canary is set to 5. Only an approver can lower it.";
  expect((await submit(id, { canary: 3 })).json).toMatchObject({
    code: "not_ready",
    obstacles: [why],
  });
  expect((await upload(text, "&canary=0")).json.ignored_options).toEqual([why]);
  expect(await canaryOf(id)).toBe(5);
  expect((await submit(id, { canary: 6 })).status).toBe(200);
  expect(await canaryOf(id)).toBe(6);
});

test("keeps the canary and the priority that others set if the request does not state them", async () => {
  const id = (await upload(file())).json.batch.batch_id;
  await server.as("approver").post(`/api/batches/${id}/canary`, { payouts: 5 });
  const urgent = { priority: "urgent", reason: "salaries" };
  await server.as("operator").post(`/api/batches/${id}/priority`, urgent);
  expect((await submit(id)).status).toBe(200);
  expect([await canaryOf(id), (await readBatch(id)).priority]).toEqual([5, "urgent"]);
});

test("lets only those change the priority who may do so on the page of the batch", async () => {
  const text = file();
  const id = (await upload(text)).json.batch.batch_id;
  const other = await server.newUser(["uploader"]);
  const why =
    "Only approvers, operators and, before approval, the uploader can change the priority.";
  const path = `/api/batches/${id}/request-approval`;
  expect((await other.post(path, { priority: "urgent" })).json).toMatchObject({
    code: "forbidden",
    detail: why,
  });
  const again = await other.post("/api/batches?file_name=a.csv&priority=urgent", text);
  expect(again.json.ignored_options).toEqual([why]);
  expect((await readBatch(id)).priority).toBe("normal");
  expect((await other.post(path, { priority: "normal" })).status).toBe(200);
});
