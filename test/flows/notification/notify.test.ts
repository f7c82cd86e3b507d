import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { correct } from "#flows/intake/correct.ts";
import { notify, type NotifyDeps } from "#flows/notification/notify.ts";
import { endChannel, insertChannel } from "#ledger/notification/channels.ts";
import {
  findDeliveries,
  findDeliveryAttempts,
  replayDelivery,
} from "#ledger/notification/deliveries.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { createBatchNotices, claimDeliveries } from "#ledger/notification/notices.ts";
import type { Mailer } from "#notification/mail.ts";
import { parseAuditPosition } from "#integrity/audit-checkpoint.ts";
import { signatureOf } from "#notification/webhook.ts";
import { openTestLedger, ingestFile, TEST_KEYRING, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

let open: TestLedger;
let alarms: { code: string; says: string }[] = [];
let answer = 200;
const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
const mails: { to: string; subject: string; text: string }[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    heard.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(answer).end();
  });
});
const mailer: Mailer = {
  async send(to, mail) {
    mails.push({ to, ...mail });
    return { ok: true, says: "250 taken" };
  },
};

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(() => receiver.close());
beforeEach(async () => {
  open = await openTestLedger();
  [alarms, answer] = [[], 200];
  heard.length = 0;
  mails.length = 0;
  return () => open.close();
});

const deps = (change: Partial<NotifyDeps> = {}): NotifyDeps => ({
  ledger: open.ledger,
  clock: systemClock,
  alarms: async () => alarms,
  mailer,
  webhooks: { allowPrivate: true, timeoutMs: 5_000 },
  dashboardUrl: "https://desk.example",
  ...change,
});

const hook = (events: readonly string[], id = "CH1") =>
  insertChannel(open.database, open.sealer, {
    id,
    name: "books",
    kind: "webhook",
    target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    events,
    secret: SECRET,
    actor: "user:US1",
    at: new Date(),
  });

const approvedBatch = async () => {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(3)));
  const { contentDigest } = batch;
  const approved = await approve(
    batch.id,
    { actor: "test", contentDigest, totals: totalsOf(batch) },
    { ledger: open.ledger },
  );
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
  return batch;
};

const pausedBatch = async () => {
  const batch = await approvedBatch();
  const pause = { id: batch.id, event: "pause", reason: "lunch", actor: "test" } as const;
  await open.ledger.payout.moveBatch(pause);
  return batch;
};

test("F06 delivers each event once, signed and without account numbers", async () => {
  await hook(["batch_paused"]);
  const batch = await pausedBatch();
  await notify(deps());
  await notify(deps());
  expect(heard).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: "" }] = heard;
  expect(JSON.parse(body)).toMatchObject({
    type: "batch_paused",
    data: {
      object: batch.id,
      rows: 3,
      totals: { INR: "300.00" },
      url: `https://desk.example/batches/${batch.id}`,
    },
  });
  const id = String(headers["webhook-id"]);
  const atSeconds = Number(headers["webhook-timestamp"]);
  expect(JSON.parse(body).id).toBe(id);
  expect(headers["webhook-signature"]).toBe(signatureOf({ id, atSeconds, body }, SECRET));
  // The notification id is hexadecimal, and nine consecutive digits may happen to be decimal.
  expect(body.replaceAll(id, "").replaceAll(batch.id, "")).not.toMatch(/\d{9,}/);
});

test("sends a channel its selected events since its creation", async () => {
  const before = await approvedBatch();
  await notify(deps());
  await hook(["batch_paused"]);
  await notify(deps());
  expect(heard).toHaveLength(0);
  await open.ledger.payout.moveBatch({
    id: before.id,
    event: "pause",
    reason: "lunch",
    actor: "test",
  });
  await notify(deps());
  expect(heard.map(({ body }) => JSON.parse(body).data.reason)).toEqual(["lunch"]);
});

test("sends no second notice of a pause or a return when other batch data change", async () => {
  await hook(["batch_paused", "batch_sent_back"]);
  const { ledger, database, sealer } = open;
  const { id } = await approvedBatch();
  await ledger.payout.moveBatch({ id, event: "pause", reason: "lunch", actor: "test" });

  const wrong = (account: string) => ({ account, ifsc: "nothing" });
  const rows = [{}, wrong("50100000000001"), wrong("50100000000002")];
  const { batch } = await ingestFile(ledger, fileText(rows));
  const returned = { id: batch.id, reason: "look again", actor: "test" };
  await ledger.payout.moveBatch({ ...returned, event: "leave_out", reason: null });
  await ledger.payout.moveBatch({ ...returned, event: "send_back" });
  await notify(deps());
  expect(heard).toHaveLength(2);

  const order = { priority: "urgent", reason: "salaries", actor: "test" } as const;
  for (const batchId of [id, batch.id]) await ledger.payout.setPriority({ batchId, ...order });
  const [header = "", repaired = ""] = fileText([{ account: "50100000000001" }]).split("\n");
  const text = `${header},line\n${repaired},3\n`;
  const upload = {
    fileName: "repaired.csv",
    open: () => Readable.from([Buffer.from(text)]) as AsyncIterable<Uint8Array>,
    actor: "test",
  };
  const at = new Date();
  const world = { ledger, database, sealer, keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS, at };
  expect(await correct(batch.id, upload, world)).toMatchObject({ value: { corrected: 1 } });
  await notify(deps());
  expect(heard).toHaveLength(2);
});

test("F06 retries a failing receiver later with the same id, and on request", async () => {
  await hook(["batch_paused"]);
  await pausedBatch();
  answer = 503;
  await notify(deps());
  const [line] = await findDeliveries(open.database, 10);
  expect(line).toMatchObject({ state: "waiting", attempts: 1, answer: "HTTP 503" });
  expect(line?.dueAt.getTime()).toBeGreaterThan(systemClock.nowMs() + 5_000);
  answer = 200;
  await notify(deps());
  expect(heard).toHaveLength(1);
  const delivery = { noticeId: line?.noticeId ?? "", channelId: "CH1" };
  expect(await replayDelivery(open.database, delivery)).toBe(true);
  await notify(deps());
  expect(new Set(heard.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await findDeliveries(open.database, 10)).toMatchObject([
    { state: "delivered", answer: "HTTP 200" },
  ]);
  expect(await findDeliveryAttempts(open.database, delivery)).toMatchObject([
    { delivered: true, answer: "HTTP 200" },
    { delivered: false, answer: "HTTP 503" },
  ]);
  answer = 500;
  await replayDelivery(open.database, delivery);
  await notify(deps());
  expect(await findDeliveryAttempts(open.database, delivery)).toMatchObject([
    { delivered: false, answer: "HTTP 500" },
    { delivered: true, answer: "HTTP 200" },
    { delivered: false, answer: "HTTP 503" },
  ]);
  await query(open.url, "delete from deliveries");
  expect(await findDeliveryAttempts(open.database, delivery)).toEqual([]);
});

test("F06 delivers an event after the lease of a crashed sender expires", async () => {
  await hook(["batch_paused"]);
  await pausedBatch();
  await createBatchNotices(open.database, { canMail: true });
  const lost = await claimDeliveries(open.database, open.sealer, { sizeMax: 8, leaseMs: 60_000 });
  await notify(deps());
  expect([lost.length, heard.length]).toEqual([1, 0]);
  await query(open.url, "update deliveries set due_at = now()");
  await notify(deps());
  expect(heard.map(({ headers }) => headers["webhook-id"])).toEqual([lost[0]?.noticeId]);
});

test("gives up a delivery after the last retry, and sends nothing to a deleted channel", async () => {
  await hook(["batch_paused"]);
  await hook(["batch_paused"], "CH2");
  await pausedBatch();
  answer = 500;
  await notify(deps());
  await query(
    open.url,
    "update deliveries set attempts = 29, due_at = now() where channel_id = 'CH1'",
  );
  await open.database
    .transaction()
    .execute((transaction) =>
      endChannel(transaction, { id: "CH2", actor: "user:US1", at: new Date() }),
    );
  await notify(deps());
  const states = await findDeliveries(open.database, 10);
  expect(
    states
      .map(({ channelId, state, answer: said }) => `${channelId} ${state}: ${said}`)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["CH1 given_up: HTTP 500", "CH2 given_up: the channel was ended"]);
  expect(
    await replayDelivery(open.database, { noticeId: states[0]?.noticeId ?? "", channelId: "CH2" }),
  ).toBe(false);
});

test("announces an alarm once, even when it flickers, and then its end", async () => {
  await insertChannel(open.database, open.sealer, {
    id: "CH3",
    name: "on call",
    kind: "email",
    target: "ops@example.test",
    events: ["alarm_raised", "alarm_ended"],
    secret: null,
    actor: "user:US1",
    at: new Date(),
  });
  alarms = [{ code: "in_doubt_too_long", says: "2 payouts in doubt, the oldest for 16 min" }];
  await notify(deps());
  alarms = [];
  await notify(deps());
  alarms = [{ code: "in_doubt_too_long", says: "2 payouts in doubt, the oldest for 17 min" }];
  await notify(deps());
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["ops@example.test", "payrun: Alarm: 2 payouts in doubt, the oldest for 16 min"],
  ]);
  expect(mails[0]?.text).toContain("Alarm code: in_doubt_too_long");
  alarms = [];
  await notify(deps());
  await query(open.url, "update raised_alarms set ended_at = now() - interval '11 minutes'");
  await notify(deps());
  expect(mails.map(({ subject }) => subject)).toEqual([
    "payrun: Alarm: 2 payouts in doubt, the oldest for 16 min",
    "payrun: Alarm ended: in_doubt_too_long",
  ]);
});

test("sends the latest hash of the audit log daily, so that it is kept outside this server", async () => {
  await hook(["audit_checkpoint"]);
  await approvedBatch();
  await notify(deps());
  await notify(deps());
  expect(heard).toHaveLength(1);
  const { object, root } = JSON.parse(heard[0]?.body ?? "{}").data;
  const kept = parseAuditPosition(object) ?? undefined;
  const published = parseAuditPosition(root);
  expect(await verifyAudit(open.database, kept)).toMatchObject({
    intact: true,
    lines: kept?.line,
    root: published?.hash,
  });
  expect(published?.line).toBe(kept?.line);
});

test("does not call a webhook on this machine without permission, and logs why", async () => {
  await hook(["batch_paused"]);
  await pausedBatch();
  await notify(deps({ webhooks: { allowPrivate: false, timeoutMs: 1_000 } }));
  expect(heard).toHaveLength(0);
  expect((await findDeliveries(open.database, 1))[0]?.answer).toContain("not called");
});
