/** How lists, sums and files show the payouts of a batch that exact duplicates block. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBlockedNotice } from "#ledger/notification/duplicate-notices.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText } from "../../support/servers/payrun.ts";

let server: TestServer;
let id: string;
let code: string;
beforeAll(async () => {
  server = await startTestServer();
  const uploader = server.as("uploader");
  const file = fileText([{}]);
  id = (await uploader.post("/api/batches?file_name=b.csv", file)).json.batch.batch_id;
  await uploader.post(`/api/batches/${id}/request-approval`, {});
  code = (await uploader.get(`/api/payouts?batch=${id}`)).json.items[0].code;
});
afterAll(() => server.close());

const listed = async (filter: string) =>
  (await server.as("viewer").get(`/api/payouts?batch=${id}&${filter}`)).json.items.length;
const summed = async (filter: string) =>
  (await server.as("viewer").get(`/api/payout-summary?batch=${id}&${filter}`)).json;
const found = async (filter: string) => [await listed(filter), (await summed(filter)).count];
const exported = async () =>
  (await server.as("viewer").get(`/api/payout-export?batch=${id}`)).text.split(/\r?\n/)[1];

test("names the payouts of a blocked batch in filters, sums and files as pages do", async () => {
  expect(await exported()).toContain(`${code},awaiting_approval,`);
  expect(await found("state=blocked")).toEqual([0, 0]);
  expect((await summed("")).blocked).toBe(0);

  const { content_digest: contentDigest } = (
    await server.as("viewer").get(`/api/batches/${id}/approval`)
  ).json;
  await createBlockedNotice(server.deps.database, { batchId: id, contentDigest }, [], {
    canMail: false,
  });
  expect(await exported()).toContain(`${code},blocked,`);
  for (const filter of ["", "state=blocked", "state=awaiting_approval", "drafts=none"]) {
    expect(await found(filter), filter).toEqual([1, 1]);
  }
  for (const filter of ["state=awaiting_approval&blocked=none", "state=draft,settled"]) {
    expect(await found(filter), filter).toEqual([0, 0]);
  }
  expect(await found("state=awaiting_approval,blocked&blocked=none")).toEqual([1, 1]);
  expect(await summed("")).toMatchObject({
    blocked: 1,
    states: [{ state: "awaiting_approval", payouts: 1 }],
  });
});
