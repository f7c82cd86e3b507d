/** The notifications of a user: what concerns them personally, in payrun and by e-mail. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { notify } from "#flows/notification/notify.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile, sendForApproval } from "../../support/ledger.ts";
import { FAST, fileText, rowsOf, runHere, scratch } from "../../support/servers/payrun.ts";

let server: TestServer;
let mia: Caller;
let chen: Caller;
const mails: { readonly to: string; readonly subject: string; readonly text: string }[] = [];
beforeAll(async () => {
  server = await startTestServer({}, ["admin"]);
});
afterAll(() => server.close());
beforeEach(async () => {
  mails.length = 0;
  mia = await server.newUser(["uploader"], "Mia Okafor");
  chen = await server.newUser(["approver"], "Chen Wei");
  await sql`update users set password = 'x'`.execute(server.deps.database);
});

const round = () =>
  notify({
    ledger: server.deps.ledger,
    clock: server.deps.clock,
    alarms: async () => [],
    mailer: {
      async send(to, mail) {
        mails.push({ to, ...mail });
        return { ok: true, says: "250 taken" };
      },
    },
    webhooks: { allowPrivate: false, timeoutMs: 1_000 },
    dashboardUrl: "https://payrun.example",
  });
let rows = 2;
async function waiting(count = (rows += 1)) {
  const { ledger, database } = server.deps;
  const { batch } = await ingestFile(ledger, fileText(rowsOf(count)), `user:${mia.userId}`);
  await sendForApproval(database, batch);
  return batch;
}
const inbox = async (caller: Caller) => (await caller.get("/api/inbox")).json;
const unread = async (caller: Caller) => (await caller.get("/api/frame")).json.unread;

test("tells the uploader in payrun and by e-mail that a batch was sent back, and why", async () => {
  const batch = await waiting();
  await chen.post(`/api/batches/${batch.id}/reject`, { reason: "Freight is missing" });
  await round();
  const [entry] = (await inbox(mia)).items;
  expect(entry).toMatchObject({
    event: "batch_sent_back",
    detail: "Freight is missing",
    page: `/batches/${batch.id}`,
    is_read: false,
  });
  expect(mails).toMatchObject([{ text: expect.stringContaining("Reason: Freight is missing") }]);
  expect([await unread(mia), await unread(chen)]).toEqual([1, 0]);
  await mia.post("/api/inbox/read", { notice_ids: [entry.notice_id] });
  expect([await unread(mia), (await inbox(mia)).items[0].is_read]).toEqual([0, true]);
});

test("notifies mentioned users, the answered author and the uploader, but not the author", async () => {
  const batch = await waiting();
  const dana = await server.newUser(["viewer"], "Dana Ito");
  await sql`update users set password = 'x'`.execute(server.deps.database);
  const { json } = await chen.post("/api/comments", { batch: batch.id, text: "@Dana Ito, look" });
  await round();
  expect([await unread(dana), await unread(mia), await unread(chen)]).toEqual([1, 1, 1]);
  const page = `/batches/${batch.id}`;
  expect((await inbox(chen)).items).toMatchObject([{ event: "batch_awaiting_approval", page }]);
  expect((await inbox(dana)).items[0]).toMatchObject({ detail: "Chen Wei: @Dana Ito, look" });
  await dana.post("/api/comments", { batch: batch.id, text: "Fine", reply_to: json.id });
  await round();
  expect(await unread(chen)).toBe(2);
  await chen.post("/api/comments/seen", {
    batch: batch.id,
    up_to: (await chen.get(`/api/comments?batch=${batch.id}`)).json.items[1].id,
  });
  expect(await unread(chen)).toBe(1);
});

test("tells the uploader once when exact duplicates block the batch", async () => {
  const { database, ledger } = server.deps;
  const same = rowsOf(2, (index) => ({ account: `5010000777000${index}` }));
  const first = (await ingestFile(ledger, fileText(same), `user:${mia.userId}`)).batch;
  await sendForApproval(database, first);
  await sql`update sessions set stepped_up_until = now() + interval '1 hour'`.execute(database);
  const approved = await approveAt(chen, `/api/batches/${first.id}`, {
    content_digest: first.contentDigest,
    totals: [{ currency: "INR", amount: "200.00" }],
  });
  expect(approved.json).toMatchObject({ state: "approved" });
  const repeated = await ingestFile(ledger, fileText(same), `user:${mia.userId}`);
  await sendForApproval(database, repeated.batch);
  await round();
  await round();
  const blocked = (await inbox(mia)).items.filter(
    ({ event }: { event: string }) => event === "batch_blocked",
  );
  expect(blocked).toMatchObject([
    { page: `/batches/${repeated.batch.id}`, detail: expect.stringContaining(first.id) },
  ]);
});

test("shows blocked batches on the uploader's Home and on their page until the reason is given", async () => {
  const { database, ledger } = server.deps;
  const same = rowsOf(2, (index) => ({ account: `5010000888000${index}` }));
  const first = (await ingestFile(ledger, fileText(same), `user:${mia.userId}`)).batch;
  await sendForApproval(database, first);
  const totals = [{ currency: "INR", amount: "200.00" }];
  const digest = { content_digest: first.contentDigest };
  await sql`update sessions set stepped_up_until = now() + interval '1 hour'`.execute(database);
  expect((await approveAt(chen, `/api/batches/${first.id}`, { ...digest, totals })).status).toBe(
    200,
  );
  const { batch } = await ingestFile(ledger, fileText(same), `user:${mia.userId}`);
  await sendForApproval(database, batch);
  await round();
  const isBlocked = async (caller: Caller) => {
    const { duplicates } = (await caller.get("/api/home/tasks")).json;
    const listed = (await caller.get("/api/batches?task=duplicates")).json.items;
    expect(listed).toHaveLength(duplicates.count);
    return duplicates.batches.some((each: { batch_id: string }) => each.batch_id === batch.id);
  };
  const onPage = async () =>
    (await chen.get(`/api/batches/${batch.id}`)).json.needs_duplicate_reason;
  const listed = async () => {
    const [batches, approvals] = [
      (await mia.get(`/api/batches?text=${batch.id}`)).json.items,
      (await chen.get(`/api/approvals?text=${batch.id}`)).json.items,
    ];
    expect([batches, approvals]).toMatchObject([[{}], [{}]]);
    expect(batches[0].needs_duplicate_reason).toBe(approvals[0].needs_duplicate_reason);
    return [approvals[0].needs_duplicate_reason, approvals[0].mine];
  };
  const onSheet = async () =>
    (await chen.get(`/api/batches/${batch.id}/approval`)).json.needs_duplicate_reason;
  const listedPayouts = async () =>
    (await chen.get(`/api/payouts?batch=${batch.id}`)).json.items as {
      code: string;
      needs_duplicate_reason: boolean;
    }[];
  const payouts = async () =>
    (await listedPayouts()).map(({ needs_duplicate_reason: needs }) => needs);
  const nextStep = async () => {
    const [payout] = await listedPayouts();
    return (await chen.get(`/api/payouts/${payout?.code}`)).json.outlook.next;
  };
  expect([await isBlocked(mia), await isBlocked(chen), await onPage()]).toEqual([
    true,
    false,
    true,
  ]);
  // An approver can do nothing about it, so it does not await their approval.
  expect(await listed()).toEqual([true, false]);
  expect(await payouts()).toEqual([true, true]);
  expect(await nextStep()).toContain("only after an uploader gives a reason");
  expect(await onSheet()).toBe(true);
  const found = await chen.post("/api/search", { q: batch.id });
  expect(found.json.batches).toMatchObject([{ needs_duplicate_reason: true }]);
  const shown = await runHere(["batch", "show", batch.id], {
    ...FAST,
    DATABASE_URL: server.deps.databaseUrl,
    PAYRUN_DATA: scratch(),
  });
  expect(shown.stdout).toMatch(new RegExp(`^${batch.id}  blocked  `));
  expect(shown.stdout).toContain("blocked: exact duplicates need a reason");
  expect(shown.stdout).not.toContain("awaiting");
  const reason = { content_digest: batch.contentDigest, reason: "A second payment is agreed" };
  expect((await mia.post(`/api/batches/${batch.id}/allow-duplicates`, reason)).status).toBe(204);
  expect([await isBlocked(mia), await onPage()]).toEqual([false, false]);
  expect(await listed()).toEqual([false, true]);
  expect(await payouts()).toEqual([false, false]);
  expect(await nextStep()).toBe("The payout is waiting for its batch to be approved.");
  expect(await onSheet()).toBe(false);
});

test("a request for a decision is unread only until somebody makes the decision", async () => {
  const { database, ledger } = server.deps;
  const dana = await server.newUser(["approver"], "Dana Lee");
  const send = async () => {
    const account = `50100006${(rows += 1)}01`;
    const { batch } = await ingestFile(
      ledger,
      fileText([{ account, amount: "100.00" }]),
      `user:${mia.userId}`,
    );
    await sendForApproval(database, batch);
    await round();
    return batch;
  };
  const requestFor = async (caller: Caller, object: string) => {
    const { items } = await inbox(caller);
    return items.find(
      ({ event, page }: { event: string; page: string }) =>
        event === "batch_awaiting_approval" && page === `/batches/${object}`,
    );
  };
  const [approved, rejected] = [await send(), await send()];
  const [before, unreadBefore] = [await requestFor(dana, approved.id), await unread(dana)];
  expect(before).toMatchObject({ is_read: false, detail: "" });
  await sql`update sessions set stepped_up_until = now() + interval '1 hour'`.execute(database);
  const totals = [{ currency: "INR", amount: "100.00" }];
  const content = { content_digest: approved.contentDigest, totals };
  expect((await approveAt(chen, `/api/batches/${approved.id}`, content)).status).toBe(200);
  const reason = { reason: "The account is closed" };
  expect((await chen.post(`/api/batches/${rejected.id}/reject`, reason)).status).toBe(204);

  for (const reader of [dana, chen]) {
    expect(await requestFor(reader, approved.id)).toMatchObject({
      is_read: true,
      detail: "You do not need to decide. The state of the batch is “in progress”.",
    });
    expect(await requestFor(reader, rejected.id)).toMatchObject({ is_read: true });
  }
  expect(await unread(dana)).toBe(unreadBefore - 2);
  expect((await dana.get("/api/frame")).json.unread).toBe(unreadBefore - 2);
  // The notice of a batch that was sent back is no request to approve.
  await round();
  expect((await inbox(mia)).items[0]).toMatchObject({ event: "batch_sent_back", is_read: false });
});

test("searches again when a batch with the same payouts is approved later", async () => {
  const { database, ledger } = server.deps;
  const same = rowsOf(2, (index) => ({ account: `5010000999000${index}` }));
  const send = async () => {
    const { batch } = await ingestFile(ledger, fileText(same), `user:${mia.userId}`);
    await sendForApproval(database, batch);
    return batch;
  };
  const [first, second] = [await send(), await send()];
  await round();
  const blocked = async () =>
    (await inbox(mia)).items.filter(
      ({ event, page }: { event: string; page: string }) =>
        event === "batch_blocked" && page === `/batches/${second.id}`,
    ).length;
  expect(await blocked()).toBe(0);
  await sql`update sessions set stepped_up_until = now() + interval '1 hour'`.execute(database);
  const totals = [{ currency: "INR", amount: "200.00" }];
  const approval = { content_digest: first.contentDigest, totals };
  expect((await approveAt(chen, `/api/batches/${first.id}`, approval)).status).toBe(200);
  await round();
  expect(await blocked()).toBe(1);
});
