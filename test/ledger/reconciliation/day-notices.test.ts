import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eventDocument } from "#flows/feed/event-document.ts";
import { findEvents } from "#ledger/feed/find-events.ts";
import { hasUnpublishedEvents, publishEvents } from "#ledger/feed/publish-events.ts";
import { createDayNotices } from "#ledger/notification/day-notices.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";
import { DAY, LANE } from "../../support/reconciliation/reconciled-ledger.ts";

const ledger = new DayLedger();

test("each closed and reopened version of a day gets one notice", async () => {
  await ledger.openAt(DAY.day);
  await ledger.closed(DAY.day);
  await createDayNotices(ledger.database);
  await movePayout(ledger.database, { id: 1, event: "return", at: "2026-11-27T09:00:00Z" });
  await createDayNotices(ledger.database);
  await createDayNotices(ledger.database);
  const { rows } = await sql`select event, object, facts from notices order by event`.execute(
    ledger.database,
  );
  const object = `${LANE} ${DAY.day}`;
  const facts = { lane: LANE, day: DAY.day, version: 1 };
  expect(rows).toEqual([
    { event: "day_closed", object, facts: { ...facts, state: "closed, balance not observed" } },
    {
      event: "day_reopened",
      object,
      facts: {
        ...facts,
        cause: "return",
        object: expect.stringMatching(/^PR/),
        reason: "A payout that had settled on or before this day was returned.",
      },
    },
  ]);
});

describe("a version that two transactions reopen at the same time", () => {
  test.each(["together", "apart"])("is reopened once in the feed if published %s", async (how) => {
    const { database } = ledger;
    const move = (open: Database, id: number) =>
      movePayout(open, { id, event: "return", at: "2026-11-27T09:00:00Z" });
    const reopened = async () => {
      await publishEvents(database);
      const types = ["day_closed", "day_reopened"];
      const { events } = await findEvents(database, { after: 0, types, limit: 10 });
      return events.flatMap(({ type, day }) => (type === "day_reopened" ? [day?.version] : []));
    };
    await ledger.openAt(DAY.day);
    await ledger.closed(DAY.day);
    const before = await inTransaction(database, async (first) => {
      await move(first, 1);
      // The second transaction commits while the first one is open.
      await move(database, 2);
      return how === "apart" ? reopened() : [];
    });
    expect(before).toEqual(how === "apart" ? [1] : []);
    const rows = await sql`select from day_reopenings`.execute(database);
    expect(rows.rows).toHaveLength(2);
    expect(await reopened()).toEqual([1]);
    expect(await hasUnpublishedEvents(database)).toBe(false);

    await ledger.closed(DAY.day);
    await move(database, 3);
    expect(await reopened()).toEqual([1, 2]);
    const numbers = await sql<{ number: number }>`
      select number::int from events order by number`.execute(database);
    expect(numbers.rows.map(({ number }) => number)).toEqual(numbers.rows.map((_, at) => at + 1));
  });
});

test("events show each closed and reopened version once, and webhooks get them from there", async () => {
  const { database } = ledger;
  for (const kind of ["webhook", "email"]) {
    await sql`insert into channels (id, name, kind, target, events, created_by, last_event)
      values (${kind}, ${kind}, ${kind}, 'https://erp.example', '{day_closed,day_reopened}', 'test', 0)`.execute(
      database,
    );
  }
  await ledger.openAt(DAY.day, 100_000_050);
  const { digest } = await ledger.closed(DAY.day).then(async () => {
    const [newest] = await ledger.versions(DAY.day);
    if (!newest) throw new Error("the day is not closed");
    return newest;
  });
  await movePayout(database, { id: 1, event: "return", at: "2026-11-27T09:00:00Z" });
  await createDayNotices(database);
  const deliveries = await sql`select channel_id, count(*)::int from deliveries group by 1`.execute(
    database,
  );
  expect(deliveries.rows).toEqual([{ channel_id: "email", count: 2 }]);

  await publishEvents(database);
  const types = ["day_closed", "day_reopened"];
  const { events } = await findEvents(database, { after: 0, types, limit: 10 });
  const day = {
    lane: LANE,
    day: DAY.day,
    version: 1,
    closing: expect.stringMatching(/^\d+\.\d\d$/),
    observed: null,
    digest,
  };
  const object = `${LANE} ${DAY.day}`;
  expect(events.map(eventDocument)).toMatchObject([
    {
      type: "day_closed",
      data: { object, batch_id: null, day: { ...day, cause: null, cause_object: null } },
    },
    {
      type: "day_reopened",
      data: {
        object,
        day: { ...day, cause: "return", cause_object: expect.stringMatching(/^PR/) },
      },
    },
  ]);
});
