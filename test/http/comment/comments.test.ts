/** Comments on batches and payouts: threads, mentions, unread marks, and who may write them. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
let mia: Caller;
let chen: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "auditor"]);
  mia = await server.newUser(["uploader"], "Mia Okafor");
  chen = await server.newUser(["approver"], "Chen Wei");
  await sql`update users set password = 'x'`.execute(server.deps.database);
});
afterAll(() => server.close());

const upload = async (): Promise<string> =>
  (await ingestFile(server.deps.ledger, fileText(rowsOf(2)), `user:${mia.userId}`)).batch.id;
const thread = async (caller: Caller, batch: string) =>
  (await caller.get(`/api/comments?batch=${batch}`)).json;

test("keeps comments and replies in order, with the users they mention", async () => {
  const batch = await upload();
  const first = await chen.post("/api/comments", { batch, text: "@Mia Okafor, is line 2 right?" });
  expect([first.status, first.json.mentions]).toEqual([
    201,
    [{ id: mia.userId, name: "Mia Okafor" }],
  ]);
  const answer = { batch, text: "Yes,\nsee invoice 7.", reply_to: first.json.id };
  await mia.post("/api/comments", answer);
  const { items } = await thread(server.as("viewer"), batch);
  expect(items).toMatchObject([
    { by: { name: "Chen Wei" }, text: "@Mia Okafor, is line 2 right?", reply_to: null },
    { by: { name: "Mia Okafor" }, text: answer.text, reply_to: first.json.id },
  ]);
});

test("counts the comments of others as unread until they are marked as seen", async () => {
  const batch = await upload();
  const say = async (caller: Caller, text: string) =>
    (await caller.post("/api/comments", { batch, text })).json.id as string;
  const first = await say(chen, "one");
  await say(chen, "two");
  await say(mia, "three");
  expect((await thread(mia, batch)).unread).toBe(2);
  await mia.post("/api/comments/seen", { batch, up_to: first });
  expect((await thread(mia, batch)).unread).toBe(1);
  expect((await thread(chen, batch)).unread).toBe(1);
});

test("keeps the comments on a payout apart from those on its batch", async () => {
  const batch = await upload();
  const { items } = (await mia.get(`/api/payouts?batch=${batch}`)).json;
  const payout = items[0].code;
  const onPayout = await mia.post("/api/comments", { payout, text: "IBAN checked by phone" });
  expect((await mia.get(`/api/comments?payout=${payout}`)).json.items).toHaveLength(1);
  expect((await thread(mia, batch)).items).toEqual([]);
  const astray = { batch, text: "yes", reply_to: onPayout.json.id };
  expect((await mia.post("/api/comments", astray)).json.code).toBe("not_found");
  expect((await thread(mia, batch)).items).toEqual([]);
});

test("records each comment and its mentions in the audit log", async () => {
  const batch = await upload();
  await mia.post("/api/comments", { batch, text: "hello @Chen Wei" });
  const { items } = (await server.as("auditor").get(`/api/audit?object=${batch}`)).json;
  const line = items.find(({ action }: { action: string }) => action === "comment");
  expect(line.facts).toMatchObject({
    text: "hello @Chen Wei",
    mentions: [`user:${chen.userId}`],
  });
});

test.each([
  ["a text that changes the writing direction", { text: "a \u202e b" }],
  ["a control character", { text: "a \u0007 b" }],
  ["an empty text", { text: "  " }],
  ["a text that is too long", { text: "x".repeat(2_001) }],
  ["two subjects", { text: "a", payout: "PR1" }],
])("refuses %s", async (_what, change) => {
  const answer = await mia.post("/api/comments", { batch: "B1", ...change });
  expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
});

test("names the batch or payout that does not exist", async () => {
  const { status, json } = await mia.post("/api/comments", { batch: "B404", text: "hello" });
  expect([status, json.detail]).toEqual([404, "There is no batch B404."]);
});

test("lists only users who can sign in as people to mention", async () => {
  const gone = await server.newUser(["viewer"], "Gone Away");
  const { items } = (await mia.get("/api/comments/people")).json;
  const ids = items.map(({ id }: { id: string }) => id);
  expect(ids).toContain(chen.userId);
  expect(ids).not.toContain(gone.userId);
});
