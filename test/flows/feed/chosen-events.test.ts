/** The events that a webhook receives of a cancelled batch, and after it was edited. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { type DeliverDeps, deliverEvents } from "#flows/feed/deliver-events.ts";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { notify } from "#flows/notification/notify.ts";
import { channelVersion, editChannel, findChannels } from "#ledger/notification/channels.ts";
import { EVENT_NAMES } from "#notification/events.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import {
  addWebhook,
  type EventReceiver,
  settleBatch,
  startEventReceiver,
} from "../../support/feed/event-receiver.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

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

test("reports the cancellation of the unsent payouts, and of a whole batch", async () => {
  await hook(EVENT_NAMES);
  const send = async () => {
    await notify({ ...deps(), alarms: async () => [], mailer: null });
    await deliverEvents(deps());
  };
  const typesOf = (id: string) =>
    receiver.heard.flatMap(({ type, data }) =>
      (data["batch_id"] ?? data["object"]) === id ? [type] : [],
    );
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
  expect(receiver.heard.find(({ type }) => type === "batch_partly_cancelled")?.data).toMatchObject({
    object: id,
    reason: "less is due",
  });

  receiver.heard.length = 0;
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

  receiver.heard.length = 0;
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
  expect(
    receiver.heard.map(({ type, data, isSigned }) => [type, data["batch_id"], isSigned]),
  ).toEqual([["payout_settled", id, true]]);
});

test("loses no event of an edited webhook that had not been sent", async () => {
  await hook(["payout_settled"]);
  await settle((await approvedBatch(open.ledger, rowsOf(2))).id);
  await open.ledger.feed.publishEvents();
  await chooseEvents(["payout_settled", "payout_declined"]);
  await deliverEvents(deps());
  expect(receiver.heard.map(({ type }) => type)).toEqual(["payout_settled", "payout_settled"]);
});
