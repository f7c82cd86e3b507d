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
  const { json } = await server.as("uploader").post(`/api/batches/${id}/request-approval`, {});
  expect(json.batch.state).toBe("awaiting_approval");
  expect(await waiting()).toBe(true);
  expect(await allowed("uploader")).toMatchObject({
    request_approval: { may: false, why_not: "The batch is not a draft." },
  });
});
