import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BATCH_LIFECYCLE, BATCH_STATES } from "#intake/batch/batch-lifecycle.ts";
import { DEPOSIT_LIFECYCLE, DEPOSIT_STATES } from "#deposit/lifecycle.ts";
import { LIFECYCLE, STATES } from "#payout/payout-lifecycle.ts";
import {
  approvedBatch,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

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

describe("the database enforces the tables of legal transitions", () => {
  test.each([
    ["batches", BATCH_LIFECYCLE],
    ["payouts", LIFECYCLE],
    ["deposits", DEPOSIT_LIFECYCLE],
  ])("%s: has the same transitions in its trigger as in the code", async (table, moves) => {
    expect(await pairsIn(table)).toEqual(pairsOf(moves));
  });

  test("refuses every other transition of a payout, above all out of a final state", async () => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const legal = new Set(pairsOf(LIFECYCLE));
    for (const from of Object.keys(STATES)) {
      await force(open.url, "update payouts set state = $2 where batch_id = $1", [id, from]);
      for (const to of Object.keys(STATES)) {
        if (to === from || to === "resolved" || legal.has(`${from} ${to}`)) continue;
        const move = sql("update payouts set state = $2 where batch_id = $1", [id, to]);
        await expect(move).rejects.toThrow(`a payout does not go from ${from} to ${to}`);
      }
    }
  });

  test("refuses every other transition of a batch", async () => {
    const { batch } = await ingestFile(open.ledger, fileText([{}]));
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

  test("starts no batch and no payout in a later state", async () => {
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
  ])("keeps %s of a payout", async (_what, change) => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const edit = sql(`update payouts set ${change} where batch_id = $1`, [id]);
    await expect(edit).rejects.toThrow("the amount, the lane and the request are not edited");
  });

  test("keeps the approved content of a batch, and what was cancelled", async () => {
    const { id } = await approvedBatch(open.ledger, [{}]);
    const edit = (change: string) => sql(`update batches set ${change} where id = $1`, [id]);
    await expect(edit("content_digest = 'other'")).rejects.toThrow("stays as it was approved");
    await edit("cancelling = true");
    await expect(edit("cancelling = false")).rejects.toThrow("stays as it was approved");
  });

  test("allows a deposit only the transitions of the table, above all out of a final state", async () => {
    const id = await newDeposit();
    const legal = new Set(pairsOf(DEPOSIT_LIFECYCLE));
    for (const from of Object.keys(DEPOSIT_STATES)) {
      for (const to of Object.keys(DEPOSIT_STATES)) {
        // Resolving a deposit manually needs two people:
        // test/flows/deposit/deposit-closing.test.ts.
        if (to === from || to === "resolved") continue;
        await force(open.url, "update deposits set state = $2 where id = $1", [id, from]);
        const move = sql("update deposits set state = $2 where id = $1", [id, to]);
        const refusal = await move.then(
          () => null,
          (error: Error) => error.message,
        );
        const expected = `a deposit does not go from ${from} to ${to}`;
        expect(refusal).toBe(legal.has(`${from} ${to}`) ? null : expected);
      }
    }
  });

  test("starts no deposit as completed or with received money", async () => {
    await expect(newDeposit("state", "'completed'")).rejects.toThrow("begins as completed");
    await expect(newDeposit("paid_minor", "5")).rejects.toThrow("nothing of deposits begins as");
  });

  test.each([
    ["its code", "transaction_code = 'other'"],
    ["its lane", "lane = 'other'"],
    ["its amount", "amount_minor = 1"],
    ["its digest", "payload_digest = ''"],
    ["its attempts", "attempts = attempts - 1"],
    ["its moves", "seq = seq - 1"],
    ["its doubt", "maybe_arrived = false"],
  ])("keeps %s of a deposit", async (_what, change) => {
    const id = await newDeposit();
    await sql("update deposits set maybe_arrived = true where id = $1", [id]);
    await expect(sql(`update deposits set ${change} where id = $1`, [id])).rejects.toMatchObject({
      constraint: "deposit_stays",
    });
  });
});

let deposits = 0;

/** A deposit that was just requested; with a further column, a forged one. */
async function newDeposit(column = "attempts", value = "1"): Promise<number> {
  const code = `D${(deposits += 1)}`;
  const [row] = await sql(
    `insert into deposits (transaction_code, lane, currency, amount_minor, minor_digits, created_by, payload_digest,
       user_digest, link_digest, sealed, ${column})
     values ($1, 'M/INR', 'INR', 500, 2, 'test', 'payload', 'user', $1::text::bytea, 'sealed', ${value}) returning id`,
    [code],
  );
  return Number(row?.["id"]);
}
