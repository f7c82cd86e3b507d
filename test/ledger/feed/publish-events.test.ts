/** The events of the ledger: a consumer that only reads them knows the state of every payout. */
import { sql } from "kysely";
import { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents, queueInDoubtEvents } from "#ledger/feed/publish-events.ts";
import { findReasonGroups } from "#ledger/operations/overview.ts";
import type { Database } from "#ledger/store/database.ts";
import { isFinal, type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { moveOf } from "../../support/ledger-steps.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
  return () => open.close();
});

/** Reads the next states of payouts, and remembers the place. */
type Reader = (database: Database) => Promise<{ code: string; state: PayoutState }[]>;

function readerOfEvents(): Reader {
  let after = 0;
  const numbers: number[] = [];
  return async (database) => {
    await publishEvents(database);
    const { events, last } = await findEvents(database, { after, limit: 50 });
    numbers.push(...events.map(({ number }) => number));
    expect(numbers).toEqual(numbers.map((_, place) => place + 1));
    after = last?.number ?? after;
    return events.flatMap(({ payout }) => (payout ? [payout] : []));
  };
}

/** Follows the IDs that the events got before their commit, as a feed without a publisher would. */
function readerWithoutPublisher(): Reader {
  let after = 0;
  return async (database) => {
    const { rows } = await sql<{ id: number; code: string; state: PayoutState }>`
      select unpublished_events.id, transaction_code as code, to_state as state
      from unpublished_events
        join payout_details using (payout_id)
        join transitions using (payout_id, seq)
      where id > ${after}
      order by id
      limit 50`.execute(database);
    after = rows.at(-1)?.id ?? after;
    return rows;
  };
}

/** Moves payouts on several connections while one transaction stays open, and reads meanwhile. */
async function statesSeenBy(read: Reader): Promise<Map<string, PayoutState>> {
  const { ledger, database } = open;
  const known = new Map<string, PayoutState>();
  const take = async () => {
    const found = await read(database);
    for (const { code, state } of found) known.set(code, state);
    return found.length;
  };
  const batches = await Promise.all(
    Array.from({ length: 4 }, () => approvedBatch(ledger, rowsOf(40))),
  );
  const [slow, ...others] = batches;
  if (!slow) throw new Error("no batch");

  const client = new Client({ connectionString: asTestOwner(open.url) });
  await client.connect();
  await client.query("set search_path to payrun; begin");
  await client.query(
    `with moved as (
       update payouts set state = 'cancelled', seq = seq + 1 where batch_id = '${slow.id}' returning id, seq)
     insert into transitions (payout_id, seq, event, from_state, to_state, actor)
     select id, seq, 'cancel', 'approved', 'cancelled', 'test' from moved`,
  );
  const writing = { isOver: false };
  const reading = (async () => {
    while (!writing.isOver) await take();
  })();
  await Promise.all(others.map(({ id }, place) => moveAll(id, place)));
  writing.isOver = true;
  await reading;
  // The reader passes the places that an order before the commit gave to the open transaction.
  while ((await take()) > 0);
  await client.query("commit");
  await client.end();
  while ((await take()) > 0);
  return known;
}

/** Ends each payout of a batch, and moves some payouts again. */
async function moveAll(batchId: string, place: number): Promise<void> {
  const { payout } = open.ledger;
  for (;;) {
    const attempts = await payout.openAttempts(claimOf(batchId, { sizeMax: 7 }));
    if (attempts.length === 0) return;
    await Promise.all(
      attempts.map(async (attempt, at) => {
        const event = (at + place) % 3 === 0 ? "decline" : "accept";
        await payout.move(
          moveOf(attempt, { event, reason: event === "decline" ? "refused" : null }),
        );
        const { payoutId, seq } = attempt;
        if (event === "decline") return;
        const accepted = { payoutId, seq: seq + 1, from: "accepted", evidence: null } as const;
        await payout.move(moveOf(attempt, { ...accepted, event: "settle" }));
        if (at % 2 === 0) return;
        const settled = { ...accepted, seq: seq + 2, from: "settled" } as const;
        await payout.move(
          moveOf(attempt, { ...settled, event: "return", reason: "returned_by_gateway" }),
        );
      }),
    );
  }
}

async function finalStates(): Promise<Map<string, PayoutState>> {
  const rows = await query(
    open.url,
    "select transaction_code as code, state from payrun.payouts join payrun.payout_details on payout_id = id",
  );
  const states = rows.map(({ code, state }) => [String(code), state as PayoutState] as const);
  return new Map(states.filter(([, state]) => isFinal(state)));
}

const sorted = (states: ReadonlyMap<string, string>) =>
  [...states].toSorted(([a], [b]) => a.localeCompare(b));

test("a consumer knows the final state of every payout, whatever commits late", async () => {
  const known = await statesSeenBy(readerOfEvents());
  expect(known.size).toBe(160);
  expect(sorted(known)).toEqual(sorted(await finalStates()));
});

test("the same consumer misses payouts in an order that is assigned before the commit", async () => {
  const known = await statesSeenBy(readerWithoutPublisher());
  expect(known.size).toBeLessThan(160);
});

test("publishers that run at the same time number each event once", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(60));
  await Promise.all([
    moveAll(id, 0),
    ...Array.from({ length: 5 }, async () => {
      for (let round = 0; round < 20; round += 1) await publishEvents(open.database);
    }),
  ]);
  await publishEvents(open.database);
  const [row] = await query(
    open.url,
    `select count(*)::int as count, max(number)::int as last,
       (select count(*)::int from payrun.unpublished_events) as unpublished from payrun.events`,
  );
  expect(row).toEqual({ count: row?.["last"], last: row?.["count"], unpublished: 0 });
});

test("every final state of a payout, and no other state, causes an event", async () => {
  const [row] = await query(
    open.url,
    "select substring(pg_get_functiondef('payrun.note_results'::regproc) from 'to_state in \\([^)]*\\)') as text",
  );
  const listed = [...String(row?.["text"]).matchAll(/'(\w+)'/g)].map(([, state]) => state);
  const final = Object.keys(STATES).filter((state) => isFinal(state as PayoutState));
  expect(new Set(listed)).toEqual(new Set(final));
});

test("a payout in doubt for too long causes one event for each time it gets in doubt", async () => {
  const { ledger, database } = open;
  const { id } = await approvedBatch(ledger, rowsOf(2));
  for (const attempt of await ledger.payout.openAttempts(claimOf(id))) {
    await ledger.payout.move(moveOf(attempt, { event: "doubt", reason: "no_answer" }));
  }
  const typesAfter = async (tooLongMs: number) => {
    await queueInDoubtEvents(database, tooLongMs);
    await queueInDoubtEvents(database, tooLongMs);
    await publishEvents(database);
    const { events } = await findEvents(database, { after: 0, limit: 50 });
    return events.map(({ type, payout }) => `${type} ${payout?.state ?? ""}`);
  };
  expect(await typesAfter(60_000)).toEqual(["batch_approved "]);
  const inDoubt = "payout_in_doubt_too_long in_doubt";
  expect(await typesAfter(0)).toEqual(["batch_approved ", inDoubt, inDoubt]);
  expect(await typesAfter(0)).toHaveLength(3);
});

test("a resend does not restart the time in doubt, and causes no second event", async () => {
  const { ledger, database } = open;
  const { id } = await approvedBatch(ledger, rowsOf(1));
  const [attempt] = await ledger.payout.openAttempts(claimOf(id));
  if (!attempt) throw new Error("nothing claimed");
  const doubt = { event: "doubt", reason: "no_answer" } as const;
  await ledger.payout.move(moveOf(attempt, doubt));
  const resend = async (): Promise<void> => {
    const query = await ledger.payout.findStatusQuery(attempt.order.transactionCode);
    const again = query && (await ledger.payout.reopenAttempt(claimOf(id), query));
    if (!again) throw new Error("not resent");
    await ledger.payout.move(moveOf(again, doubt));
  };
  const hour = "interval '1 hour'";
  await sql`update payouts set in_doubt_since = in_doubt_since - ${sql.raw(hour)}`.execute(
    database,
  );
  await resend();
  const events = async (): Promise<number> => {
    await queueInDoubtEvents(database, 30 * 60_000);
    await publishEvents(database);
    const found = await findEvents(database, { after: 0, limit: 50 });
    return found.events.filter(({ type }) => type === "payout_in_doubt_too_long").length;
  };
  expect(await events()).toBe(1);
  const [group] = await findReasonGroups(database, "in_doubt");
  expect(Date.now() - (group?.oldestAt.getTime() ?? 0)).toBeGreaterThan(3_500_000);
  await resend();
  expect(await events()).toBe(1);
});

test("a payout that was certain meanwhile is in doubt since the later attempt", async () => {
  const { ledger, database } = open;
  const { id } = await approvedBatch(ledger, rowsOf(1));
  const since = async () => {
    const rows = await query(open.url, "select in_doubt_since from payrun.payouts");
    return rows[0]?.["in_doubt_since"];
  };
  const [first] = await ledger.payout.openAttempts(claimOf(id));
  if (!first) throw new Error("nothing claimed");
  await ledger.payout.move(moveOf(first, { event: "defer", reason: "deferred" }));
  expect(await since()).toBeNull();
  const [second] = await ledger.payout.openAttempts(claimOf(id));
  if (!second) throw new Error("nothing claimed");
  await sql`update payouts set due_at = now() - interval '1 second'`.execute(database);
  await ledger.payout.expireLeases(id);
  expect(await since()).toBeInstanceOf(Date);
  const { payoutId, seq } = second;
  const settle = { seq: seq + 1, from: "in_doubt", event: "settle", evidence: null } as const;
  await ledger.payout.move(moveOf({ payoutId, seq }, settle));
  expect(await since()).toBeNull();
});

test("searches for rare types in steps, and continues after each", async () => {
  const { ledger, database } = open;
  const { id } = await approvedBatch(ledger, rowsOf(9));
  await moveAll(id, 0);
  await publishEvents(database);
  const wanted = { types: ["payout_returned"], limit: 1 };
  const first = await findEvents(database, { ...wanted, after: 0 });
  expect(first.events.map(({ type }) => type)).toEqual(["payout_returned"]);
  expect(first).toMatchObject({ hasMore: true, last: { number: first.events[0]?.number } });
  const none = await findEvents(database, { ...wanted, types: ["break_opened"], after: 0 });
  const { events } = await findEvents(database, { after: 0, limit: 100 });
  expect(none).toMatchObject({ events: [], hasMore: false, last: { number: events.length } });
  expect(await findEvents(database, { after: events.length, limit: 5 })).toEqual({
    events: [],
    last: null,
    hasMore: false,
  });
});
