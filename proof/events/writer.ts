/**
 * Records results of accepted payouts until none is left: a process of the campaign that may be
 * killed at any time. Some payouts are returned afterwards, and some commits take long.
 */
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { readConfig } from "#app/config.ts";
import { openLedger } from "#app/open-ledger.ts";
import { makeMoves, type Move } from "#ledger/payout/transitions.ts";
import { SLOW_ACTOR } from "./stored-events.ts";

const [share = 0, shares = 1, perSecond = 1_000, slowMs = 0] = process.argv.slice(2).map(Number);
const AT_ONCE = 20;
const SLOW_EVERY = 50;
const ACTOR = "proof";
const RETURNED_EVERY = 5;
const DECLINED_EVERY = 7;

const open = await openLedger(readConfig());
process.stdout.write("ready\n");
const startedMs = performance.now();
let made = 0;
let lastId = 0;
for (let round = 1; ; round += 1) {
  const ids = await acceptedAfter(lastId);
  if (ids.length === 0) break;
  lastId = ids.at(-1) ?? lastId;
  const isSlow = round % SLOW_EVERY === 0;
  const results = ids.map((id) => resultOf(id, isSlow ? SLOW_ACTOR : ACTOR));
  await commit(results, isSlow ? slowMs : 0);
  const returned = ids
    .map((id) => resultOf(id, ACTOR))
    .filter(({ payoutId, event }) => {
      return event === "settle" && payoutId % RETURNED_EVERY === 0;
    });
  await commit(returned.map(returnOf), 0);
  made += ids.length + returned.length;
  const aheadMs = (made / perSecond) * 1_000 - (performance.now() - startedMs);
  if (aheadMs > 0) await setTimeout(aheadMs);
}
await open.close();

/** The next payouts of this writer. */
async function acceptedAfter(id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from payouts
    where id > ${id} and id % ${sql.lit(shares)} = ${sql.lit(share)} and state = 'accepted'
    order by id limit ${sql.lit(AT_ONCE)}`.execute(open.database);
  return rows.map((row) => row.id);
}

function commit(moves: readonly Move[], waitMs: number): Promise<void> {
  return open.database.transaction().execute(async (transaction) => {
    if (moves.length > 0) await makeMoves(transaction, moves);
    if (waitMs > 0) await setTimeout(waitMs);
  });
}

function resultOf(payoutId: number, actor: string): Move {
  const isDeclined = payoutId % DECLINED_EVERY === 0;
  return {
    payoutId,
    seq: 2,
    from: "accepted",
    event: isDeclined ? "decline" : "settle",
    reason: isDeclined ? "failed_at_gateway" : null,
    dueInMs: 0,
    actor,
    evidence: null,
  };
}

function returnOf(settled: Move): Move {
  return { ...settled, seq: 3, from: "settled", event: "return", reason: "returned_by_gateway" };
}
