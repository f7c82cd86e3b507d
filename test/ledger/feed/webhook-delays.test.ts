/** How long each webhook has not received its events. */
import { beforeEach, expect, test } from "vitest";
import { findWebhookDelays } from "#ledger/feed/webhook-delays.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
  return () => open.close();
});

const webhook = (id: string, more = "'webhook', '{payout_settled}', 1, null") =>
  query(
    open.url,
    `insert into channels (id, name, target, created_by, kind, events, last_event, ended_at)
     values ('${id}', 'ERP ${id}', 'https://erp.example', 'test', ${more})`,
  );
const event = (number: number, type: string, at: string) =>
  query(
    open.url,
    `insert into events (number, type, at) values (${number}, '${type}', '2026-11-27T${at}Z')`,
  );
const delays = async () =>
  (await findWebhookDelays(open.database)).map(
    ({ name, since }) => `${name} ${since.toISOString().slice(11, 19)}`,
  );

test("is the age of the first event after the position that the webhook receives", async () => {
  await webhook("A");
  await event(1, "payout_settled", "08:00:00");
  await event(2, "payout_declined", "09:00:00");
  expect(await delays()).toEqual([]);
  await event(3, "payout_settled", "10:00:00");
  await event(4, "payout_settled", "11:00:00");
  expect(await delays()).toEqual(["ERP A 10:00:00"]);
  await query(open.url, "update channels set last_event = 4");
  expect(await delays()).toEqual([]);
});

test("is the age of a failed delivery, until it succeeds", async () => {
  await webhook("A");
  await query(
    open.url,
    `insert into notices (id, key, event, object, facts, at)
     values ('N1', 'n1', 'payout_settled', 'PR1', '{}', '2026-11-27T07:00:00Z')`,
  );
  await query(open.url, "insert into deliveries (notice_id, channel_id) values ('N1', 'A')");
  await event(2, "payout_settled", "08:00:00");
  expect(await delays()).toEqual(["ERP A 07:00:00"]);
  await query(open.url, "update deliveries set state = 'delivered'");
  expect(await delays()).toEqual(["ERP A 08:00:00"]);
});

test("counts events that nobody publishes, and leaves out e-mail and deleted webhooks", async () => {
  await webhook("A");
  await webhook("B", "'webhook', '{payout_settled}', 1, now()");
  await webhook("C", "'email', '{payout_settled}', null, null");
  await webhook("D", "'webhook', '{day_closed}', 1, null");
  await query(
    open.url,
    `insert into unpublished_events (type, at) values ('payout_settled', '2026-11-27T06:00:00Z'),
     ('day_closed', '2026-11-27T05:00:00Z')`,
  );
  expect(await delays()).toEqual(["ERP D 05:00:00", "ERP A 06:00:00"]);
});
