import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BATCH_LIFECYCLE, BATCH_STATES } from "#batch/lifecycle.ts";
import { LIFECYCLE, STATES } from "#payout/lifecycle.ts";
import { approvedBatch, openTestLedger, takeIn, type TestLedger } from "../support/ledger.ts";
import { fileText } from "../support/payrun.ts";
import { force, query } from "../support/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const sql = (text: string, values: unknown[] = []) => query(open.url, text, values);

interface Moves {
  readonly [event: string]: { readonly from: readonly string[]; readonly to: string };
}

/** The pairs of states in the condition of a trigger named `lifecycle`. */
async function pairsIn(table: string): Promise<string[]> {
  const [trigger] = await sql(
    "select pg_get_triggerdef(oid) as text from pg_trigger where tgname = 'lifecycle' and tgrelid = $1::regclass",
    [table],
  );
  return [...String(trigger?.["text"]).matchAll(/'(\w+ \w+)'::text/g)]
    .map(([, pair]) => pair as string)
    .sort();
}

const pairsOf = (moves: Moves): string[] => {
  const pairs = Object.values(moves).flatMap(({ from, to }) =>
    from.filter((state) => state !== to).map((state) => `${state} ${to}`),
  );
  return [...new Set(pairs)].sort();
};

describe("the database keeps the tables of legal moves", () => {
  test.each([
    ["batches", BATCH_LIFECYCLE],
    ["payouts", LIFECYCLE],
  ])("%s: its trigger has the same moves as the table in the code", async (table, moves) => {
    expect(await pairsIn(table)).toEqual(pairsOf(moves));
  });

  test("every other move of a payout is refused, out of a final state above all", async () => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const legal = new Set(pairsOf(LIFECYCLE));
    for (const from of Object.keys(STATES)) {
      await force(open.url, "update payouts set state = $2 where batch_id = $1", [id, from]);
      for (const to of Object.keys(STATES)) {
        if (to === from || to === "closed" || legal.has(`${from} ${to}`)) continue;
        const move = sql("update payouts set state = $2 where batch_id = $1", [id, to]);
        await expect(move).rejects.toThrow(`a payout does not go from ${from} to ${to}`);
      }
    }
  });

  test("every other move of a batch is refused", async () => {
    const { batch } = await takeIn(open.ledger, fileText([{}]));
    const legal = new Set(pairsOf(BATCH_LIFECYCLE));
    for (const from of Object.keys(BATCH_STATES)) {
      await force(open.url, "update batches set state = $2 where id = $1", [batch.id, from]);
      for (const to of Object.keys(BATCH_STATES)) {
        if (to === from || legal.has(`${from} ${to}`)) continue;
        const move = sql("update batches set state = $2 where id = $1", [batch.id, to]);
        await expect(move).rejects.toThrow(`a batch does not go from ${from} to ${to}`);
      }
    }
  });

  test("no batch and no payout begins in a later state", async () => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const payout = `insert into payouts (batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state)
      select batch_id, 99, lane, currency, amount_minor, minor_digits, payload_digest, 'approved'
      from payouts where batch_id = $1`;
    await expect(sql(payout, [id])).rejects.toThrow("nothing of payouts begins as approved");
    const batch = `insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id)
      select 'B-forged', 'forged', content_digest, file_name, 'approved', rows, rejected, facts, first_id, last_id
      from batches where id = $1`;
    await expect(sql(batch, [id])).rejects.toThrow("nothing of batches begins as approved");
  });

  test.each([
    ["its batch", "batch_id = 'other'"],
    ["its lane", "lane = 'other'"],
    ["its amount", "amount_minor = 1"],
    ["its digest", "payload_digest = ''"],
    ["its attempts", "attempts = -1"],
  ])("a payout keeps %s", async (_what, change) => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const edit = sql(`update payouts set ${change} where batch_id = $1`, [id]);
    await expect(edit).rejects.toThrow("what is paid, and in which batch, is not edited");
  });

  test("an approved batch keeps what was approved, and what was cancelled of it", async () => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const edit = (change: string) => sql(`update batches set ${change} where id = $1`, [id]);
    await expect(edit("content_digest = 'other'")).rejects.toThrow("stays as it was approved");
    await edit("cancelling = true");
    await expect(edit("cancelling = false")).rejects.toThrow("stays as it was approved");
  });
});
