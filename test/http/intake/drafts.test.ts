import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("keeps a draft from approvers until its uploader sends it", async () => {
  const file = fileText([{}]);
  const uploaded = await server.as("uploader").post("/api/batches?file_name=a.csv", file);
  const id = uploaded.json.batch.batch_id;
  const allowed = async (person: "uploader" | "approver") =>
    (await server.as(person).get(`/api/batches/${id}`)).json.you;
  const waiting = async () => {
    const { json } = await server.as("approver").get("/api/approvals");
    return json.items.some((each: { batch_id: string }) => each.batch_id === id);
  };
  expect(await allowed("uploader")).toMatchObject({ request_approval: { may: true } });
  expect(await allowed("approver")).toMatchObject({
    approve: { may: false, why_not: "The uploader has not sent the batch for approval yet." },
    request_approval: { may: false, why_not: "You are not an uploader." },
  });
  expect(await waiting()).toBe(false);
  const payout = async () =>
    (await server.as("uploader").get(`/api/payouts?batch=${id}`)).json.items[0];
  const draft = await payout();
  expect(draft).toMatchObject({ state: "awaiting_approval", batch_state: "draft" });
  const own = (await server.as("uploader").get(`/api/payouts/${draft.code}`)).json;
  expect(own.batch_state).toBe("draft");
  expect(own.outlook.next).toBe("The uploader must send the batch of this payout for approval.");
  const exported = async () =>
    (await server.as("uploader").get(`/api/payout-export?batch=${id}`)).text.split(/\r?\n/)[1];
  expect(await exported()).toContain(`${draft.code},draft,`);
  const listed = async (filter: string) =>
    (await server.as("uploader").get(`/api/payouts?batch=${id}&${filter}`)).json.items.length;
  const summed = async (filter: string) =>
    (await server.as("uploader").get(`/api/payout-summary?batch=${id}&${filter}`)).json;
  for (const filter of ["drafts=none", "state=awaiting_approval", "state=settled"]) {
    expect([await listed(filter), (await summed(filter)).count], filter).toEqual([0, 0]);
  }
  for (const filter of [
    "",
    "state=draft",
    "state=draft,settled",
    "state=draft,awaiting_approval",
  ]) {
    expect([await listed(filter), (await summed(filter)).count], filter).toEqual([1, 1]);
  }
  expect((await summed("drafts=none")).states).toEqual([{ state: "draft", payouts: 1 }]);
  const { json } = await server.as("uploader").post(`/api/batches/${id}/request-approval`, {});
  expect(json.batch.state).toBe("awaiting_approval");
  expect(await waiting()).toBe(true);
  expect(await exported()).toContain(`${draft.code},awaiting_approval,`);
  expect((await payout()).batch_state).toBe("awaiting_approval");
  expect([await listed("drafts=none"), await listed("state=awaiting_approval")]).toEqual([1, 1]);
  expect(await listed("state=draft")).toBe(0);
  expect(await allowed("uploader")).toMatchObject({
    request_approval: { may: false, why_not: "The batch is not a draft." },
  });
});

test("returns a withdrawn batch to its uploader as a draft, and notifies the approver", async () => {
  const file = fileText([{}, {}]);
  const uploaded = await server.as("uploader").post("/api/batches?file_name=w.csv", file);
  const id = uploaded.json.batch.batch_id;
  const path = `/api/batches/${id}`;
  await server.as("uploader").post(`${path}/request-approval`, {});
  const mayWithdraw = async (person: "uploader" | "approver") =>
    (await server.as(person).get(path)).json.you.withdraw;
  expect(await mayWithdraw("uploader")).toEqual({ may: true, why_not: null });
  expect(await mayWithdraw("approver")).toMatchObject({ may: false });
  const other = await server.newUser(["uploader"]);
  const reason = { reason: "a row is missing" };
  expect((await other.post(`${path}/withdraw`, reason)).json).toMatchObject({ code: "forbidden" });

  expect((await server.as("uploader").post(`${path}/withdraw`, reason)).status).toBe(204);
  expect((await server.as("uploader").get(path)).json).toMatchObject({
    state: "draft",
    you: { request_approval: { may: true }, withdraw: { may: false } },
  });
  const verified = (await server.as("auditor").get("/api/audit/verify")).json;
  expect(verified).toMatchObject({ intact: true });
  const again = await server.as("uploader").post(`${path}/withdraw`, reason);
  expect(again.json).toMatchObject({ code: "wrong_state" });
  const { items } = (await server.as("approver").get("/api/inbox")).json;
  expect(items[0]).toMatchObject({
    title: "Approval no longer needed: w.csv",
    detail: "a row is missing",
    page: `/batches/${id}`,
  });
});
