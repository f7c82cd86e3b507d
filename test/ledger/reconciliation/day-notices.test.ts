import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDayNotices } from "#ledger/notification/day-notices.ts";
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
