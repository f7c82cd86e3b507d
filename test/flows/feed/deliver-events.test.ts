/** Webhooks receive the events of the ledger, each at least once, also after a crash. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { type DeliverDeps, deliverEvents } from "#flows/feed/deliver-events.ts";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { notify } from "#flows/notification/notify.ts";
import {
  channelVersion,
  editChannel,
  findChannels,
  insertChannel,
} from "#ledger/notification/channels.ts";
import { findDeliveries } from "#ledger/notification/deliveries.ts";
import { claimDeliveries } from "#ledger/notification/notices.ts";
import { EVENT_NAMES } from "#notification/events.ts";
import { signatureOf } from "#notification/webhook.ts";
import {
  approvedBatch,
  claimOf,
  declineAll,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly isSigned: boolean;
}

let open: TestLedger;
/** The answer to an event of this type. */
let answerTo: (type: string) => number = () => 200;
const heard: Heard[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString();
    const { id, type, data } = JSON.parse(body);
    const atSeconds = Number(request.headers["webhook-timestamp"]);
    const signature = signatureOf({ id, atSeconds, body }, SECRET);
    const isSigned =
      request.headers["webhook-signature"] === signature && request.headers["webhook-id"] === id;
    heard.push({ id, type, data, isSigned });
    response.writeHead(answerTo(type)).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(() => receiver.close());
beforeEach(async () => {
  open = await openTestLedger();
  answerTo = () => 200;
  heard.length = 0;
  return () => open.close();
});

const deps = (): DeliverDeps => ({
  ledger: open.ledger,
  clock: systemClock,
  webhooks: { allowPrivate: true, timeoutMs: 5_000 },
  dashboardUrl: "https://dashboard.example",
});

const hook = (events: readonly string[], id = "CH1") =>
  insertChannel(open.database, open.sealer, {
    id,
    name: id,
    kind: "webhook",
    target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    events,
    secret: SECRET,
    actor: "user:US1",
    at: new Date(),
  });

/** Edits the only webhook. */
async function chooseEvents(events: readonly string[]): Promise<void> {
  const [channel] = await findChannels(open.database);
  if (!channel) throw new Error("no channel");
  const seen = { version: channelVersion(channel), actor: "user:US1", at: new Date() };
  const result = await open.database
    .transaction()
    .execute((transaction) => editChannel(transaction, { ...channel, ...seen, events }));
  expect(result).toBe("edited");
}

const settle = async (batchId: string): Promise<void> => {
  const { payout } = open.ledger;
  for (const attempt of await payout.openAttempts(claimOf(batchId))) {
    await payout.move(moveOf(attempt));
    const { seq } = attempt;
    const accepted = { seq: seq + 1, from: "accepted", evidence: null } as const;
    await payout.move(moveOf(attempt, { ...accepted, event: "settle" }));
  }
  await payout.finishBatch(batchId);
};

const ids = () => heard.map(({ id }) => id);

test("delivers the wanted events once, signed, and without data about a beneficiary", async () => {
  await hook(["payout_declined", "batch_finished_with_exceptions"]);
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  await declineAll(open.ledger, id, "refused: account of Asha Rao is closed");
  expect(await deliverEvents(deps())).toBe(false);
  await deliverEvents(deps());
  expect(heard.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 3 }, () => "payout_declined"),
    "batch_finished_with_exceptions",
  ]);
  expect(heard.every(({ isSigned }) => isSigned)).toBe(true);
  const [first] = heard;
  const code = String(first?.data["object"]);
  expect(first?.data).toEqual({
    object: code,
    batch_id: id,
    payout: {
      code,
      line: expect.any(Number),
      state: "declined",
      reason: "refused",
      currency: "INR",
      amount: "100.00",
      gateway_number: null,
    },
    url: `https://dashboard.example/payouts/${code}`,
  });
  expect(heard.at(-1)?.data).toMatchObject({
    object: id,
    batch: { state: "finished_with_exceptions", payouts: 3, totals: { INR: "300.00" } },
  });
});

test("sends a webhook the events since its creation, and batch events only once", async () => {
  await settle((await approvedBatch(open.ledger, rowsOf(2))).id);
  await deliverEvents(deps());
  await hook(["payout_settled", "batch_approved"]);
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  await notify({ ...deps(), alarms: async () => [], mailer: null });
  await deliverEvents(deps());
  await settle(id);
  await deliverEvents(deps());
  expect(heard.map(({ type, data }) => [type, data["batch_id"]])).toEqual([
    ["batch_approved", id],
    ["payout_settled", id],
  ]);
});

test("reports the cancellation of the unsent payouts, and of a whole batch", async () => {
  await hook(EVENT_NAMES);
  const send = async () => {
    await notify({ ...deps(), alarms: async () => [], mailer: null });
    await deliverEvents(deps());
  };
  const typesOf = (id: string) =>
    heard.flatMap(({ type, data }) => ((data["batch_id"] ?? data["object"]) === id ? [type] : []));
  const cancel = (batchId: string) =>
    cancelBatch({ batchId, actor: "user:US1", reason: "less is due" }, open.ledger);

  const { id } = await approvedBatch(open.ledger, rowsOf(4));
  const sent = await open.ledger.payout.openAttempts(claimOf(id, { sizeMax: 2 }));
  const [settled, declined] = sent.map((attempt) => moveOf(attempt));
  if (!settled || !declined) throw new Error("two payouts are sent");
  expect(await cancel(id)).toMatchObject({ ok: true, value: { cancelled: 2, state: "paused" } });
  await send();
  expect(typesOf(id).sort()).toEqual([
    "batch_approved",
    "batch_partly_cancelled",
    "payout_cancelled",
    "payout_cancelled",
  ]);
  expect(heard.find(({ type }) => type === "batch_partly_cancelled")?.data).toMatchObject({
    object: id,
    reason: "less is due",
  });

  heard.length = 0;
  const { payout } = open.ledger;
  await payout.move(settled);
  await payout.move({ ...settled, seq: settled.seq + 1, from: "accepted", event: "settle" });
  await payout.move({ ...declined, event: "decline", reason: "refused" });
  await payout.finishBatch(id);
  await send();
  expect(typesOf(id).sort()).toEqual([
    "batch_finished_with_exceptions",
    "payout_declined",
    "payout_settled",
  ]);

  heard.length = 0;
  const whole = (
    await approvedBatch(
      open.ledger,
      rowsOf(1, () => ({ amount: "7.00" })),
    )
  ).id;
  expect(await cancel(whole)).toMatchObject({ ok: true, value: { state: "cancelled" } });
  await send();
  expect(typesOf(whole).sort()).toEqual(["batch_approved", "batch_cancelled", "payout_cancelled"]);
});

test("sends an edited webhook only later events of the types that were added", async () => {
  await hook(["payout_declined"]);
  await settle((await approvedBatch(open.ledger, rowsOf(2))).id);
  await deliverEvents(deps());
  await chooseEvents(["payout_settled"]);
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  await settle(id);
  await deliverEvents(deps());
  expect(heard.map(({ type, data, isSigned }) => [type, data["batch_id"], isSigned])).toEqual([
    ["payout_settled", id, true],
  ]);
});

test("loses no event of an edited webhook that had not been sent", async () => {
  await hook(["payout_settled"]);
  await settle((await approvedBatch(open.ledger, rowsOf(2))).id);
  await open.ledger.feed.publishEvents();
  await chooseEvents(["payout_settled", "payout_declined"]);
  await deliverEvents(deps());
  expect(heard.map(({ type }) => type)).toEqual(["payout_settled", "payout_settled"]);
});

test("retries a refused event with the same ID, and sends the others meanwhile", async () => {
  await hook(["payout_declined", "payout_settled"]);
  answerTo = (type) => (type === "payout_declined" ? 500 : 200);
  const batch = await approvedBatch(open.ledger, rowsOf(1));
  await declineAll(open.ledger, batch.id);
  await deliverEvents(deps());
  await settle((await approvedBatch(open.ledger, rowsOf(4))).id);
  await deliverEvents(deps());
  expect(new Set(ids()).size).toBe(5);

  answerTo = () => 200;
  await query(
    asTestOwner(open.url),
    "update payrun.deliveries set due_at = now() where state = 'waiting'",
  );
  await notify({ ...deps(), alarms: async () => [], mailer: null });
  expect(ids().at(-1)).toBe(ids()[0]);
  expect(heard.at(-1)).toMatchObject({ type: "payout_declined", data: heard[0]?.data });
  const log = await findDeliveries(open.database, 10);
  expect(log.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "delivered"));
});

test("keeps the events of an unreachable webhook in the ledger, and continues later", async () => {
  await hook(["payout_settled"]);
  await hook(["payout_settled"], "CH2");
  const { id } = await approvedBatch(open.ledger, rowsOf(60));
  await settle(id);
  answerTo = () => 503;
  for (let round = 0; round < 5; round += 1) await deliverEvents(deps());
  const waiting = await query(
    open.url,
    "select channel_id, count(*)::int as count from payrun.deliveries group by 1 order by 1",
  );
  expect(waiting).toEqual([
    { channel_id: "CH1", count: 16 },
    { channel_id: "CH2", count: 16 },
  ]);

  answerTo = () => 200;
  heard.length = 0;
  await query(
    asTestOwner(open.url),
    "update payrun.deliveries set due_at = now() where state = 'waiting'",
  );
  while ((await notify({ ...deps(), alarms: async () => [], mailer: null })) > 0);
  await deliverEvents(deps());
  expect(heard).toHaveLength(120);
  expect(new Set(ids()).size).toBe(60);
});

test("never gives up an event while its webhook exists, and shows that it is failing", async () => {
  await hook(["payout_settled"]);
  await settle((await approvedBatch(open.ledger, rowsOf(1))).id);
  answerTo = () => 400;
  await deliverEvents(deps());
  expect((await findChannels(open.database))[0]?.isFailing).toBe(false);
  await query(
    asTestOwner(open.url),
    "update payrun.deliveries set attempts = 40, due_at = now() where state = 'waiting'",
  );
  await notify({ ...deps(), alarms: async () => [], mailer: null });
  expect(await findDeliveries(open.database, 10)).toMatchObject([
    { state: "waiting", attempts: 41 },
  ]);
  expect((await findChannels(open.database))[0]?.isFailing).toBe(true);
});

test("ends a round only after the webhooks that work have got their events", async () => {
  await hook(["payout_settled"]);
  await hook(["payout_settled"], "CH2");
  await settle((await approvedBatch(open.ledger, rowsOf(1))).id);
  const { notification } = open.ledger;
  const openSecret: typeof notification.openSecret = (id, secret) => {
    if (id === "CH1") throw new Error("sealed with another key");
    return notification.openSecret(id, secret);
  };
  const ledger = { ...open.ledger, notification: { ...notification, openSecret } };
  await expect(deliverEvents({ ...deps(), ledger })).rejects.toThrow("sealed with another key");
  expect(await findDeliveries(open.database, 10)).toMatchObject([
    { channelId: "CH2", state: "delivered" },
  ]);
});

test("repeats events that were sent but not recorded, with the same IDs", async () => {
  await hook(["payout_settled"]);
  await settle((await approvedBatch(open.ledger, rowsOf(20))).id);
  const { feed } = open.ledger;
  const crash = async () => {
    throw new Error("killed");
  };
  const killed = { ...open.ledger, feed: { ...feed, recordFirstDeliveries: crash } };
  await expect(deliverEvents({ ...deps(), ledger: killed })).rejects.toThrow("killed");
  const before = ids();
  expect(before).toHaveLength(16);
  await deliverEvents(deps());
  expect(ids().slice(16, 32)).toEqual(expect.arrayContaining(before));
  expect(new Set(ids()).size).toBe(20);
  expect(await claimDeliveries(open.database, open.sealer, { sizeMax: 8, leaseMs: 1_000 })).toEqual(
    [],
  );
});
