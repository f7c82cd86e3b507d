/** Webhooks receive the events of the ledger, each at least once, also after a crash. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { type DeliverDeps, deliverEvents } from "#flows/feed/deliver-events.ts";
import { notify } from "#flows/notification/notify.ts";
import { findChannels } from "#ledger/notification/channels.ts";
import { findDeliveries } from "#ledger/notification/deliveries.ts";
import { claimDeliveries } from "#ledger/notification/notices.ts";
import {
  approvedBatch,
  declineAll,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import {
  addWebhook,
  type EventReceiver,
  settleBatch,
  startEventReceiver,
} from "../../support/feed/event-receiver.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let receiver: EventReceiver;
beforeAll(async () => {
  receiver = await startEventReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  open = await openTestLedger();
  receiver.answer(() => 200);
  receiver.heard.length = 0;
  return () => open.close();
});

const deps = (): DeliverDeps => ({
  ledger: open.ledger,
  clock: systemClock,
  webhooks: { allowPrivate: true, timeoutMs: 5_000 },
  dashboardUrl: "https://dashboard.example",
});

const hook = (events: readonly string[], id?: string) => addWebhook(open, receiver.url, events, id);
const settle = (batchId: string) => settleBatch(open, batchId);

const ids = () => receiver.heard.map(({ id }) => id);

test("delivers the wanted events once, signed, and without data about a beneficiary", async () => {
  await hook(["payout_declined", "batch_finished_with_exceptions"]);
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  await declineAll(open.ledger, id, "refused: account of Asha Rao is closed");
  expect(await deliverEvents(deps())).toBe(false);
  await deliverEvents(deps());
  expect(receiver.heard.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 3 }, () => "payout_declined"),
    "batch_finished_with_exceptions",
  ]);
  expect(receiver.heard.every(({ isSigned }) => isSigned)).toBe(true);
  const [first] = receiver.heard;
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
  expect(receiver.heard.at(-1)?.data).toMatchObject({
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
  expect(receiver.heard.map(({ type, data }) => [type, data["batch_id"]])).toEqual([
    ["batch_approved", id],
    ["payout_settled", id],
  ]);
});

test("retries a refused event with the same ID, and sends the others meanwhile", async () => {
  await hook(["payout_declined", "payout_settled"]);
  receiver.answer((type) => (type === "payout_declined" ? 500 : 200));
  const batch = await approvedBatch(open.ledger, rowsOf(1));
  await declineAll(open.ledger, batch.id);
  await deliverEvents(deps());
  await settle((await approvedBatch(open.ledger, rowsOf(4))).id);
  await deliverEvents(deps());
  expect(new Set(ids()).size).toBe(5);

  receiver.answer(() => 200);
  await query(
    asTestOwner(open.url),
    "update payrun.deliveries set due_at = now() where state = 'waiting'",
  );
  await notify({ ...deps(), alarms: async () => [], mailer: null });
  expect(ids().at(-1)).toBe(ids()[0]);
  expect(receiver.heard.at(-1)).toMatchObject({
    type: "payout_declined",
    data: receiver.heard[0]?.data,
  });
  const log = await findDeliveries(open.database, 10);
  expect(log.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "delivered"));
});

test("keeps the events of an unreachable webhook in the ledger, and continues later", async () => {
  await hook(["payout_settled"]);
  await hook(["payout_settled"], "CH2");
  const { id } = await approvedBatch(open.ledger, rowsOf(60));
  await settle(id);
  receiver.answer(() => 503);
  for (let round = 0; round < 5; round += 1) await deliverEvents(deps());
  const waiting = await query(
    open.url,
    "select channel_id, count(*)::int as count from payrun.deliveries group by 1 order by 1",
  );
  expect(waiting).toEqual([
    { channel_id: "CH1", count: 16 },
    { channel_id: "CH2", count: 16 },
  ]);

  receiver.answer(() => 200);
  receiver.heard.length = 0;
  await query(
    asTestOwner(open.url),
    "update payrun.deliveries set due_at = now() where state = 'waiting'",
  );
  while ((await notify({ ...deps(), alarms: async () => [], mailer: null })) > 0);
  await deliverEvents(deps());
  expect(receiver.heard).toHaveLength(120);
  expect(new Set(ids()).size).toBe(60);
});

test("never gives up an event while its webhook exists, and shows that it is failing", async () => {
  await hook(["payout_settled"]);
  await settle((await approvedBatch(open.ledger, rowsOf(1))).id);
  receiver.answer(() => 400);
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
