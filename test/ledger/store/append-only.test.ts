import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { addComment } from "#flows/comment/add-comment.ts";
import {
  approvedBatch,
  claimOf,
  ingestFile,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  const { id } = await approvedBatch(open.ledger, [{}]);
  const comment = { on: { batch: id }, text: "kept", replyTo: null, actor: "cli:asha" };
  await addComment(comment, { ledger: open.ledger, clock: systemClock });
  await open.ledger.payout.openAttempts(claimOf(id, { leaseMs: 0 }));
  await open.ledger.payout.expireLeases(id);
});
afterAll(() => open.close());

const STORY = ["attempts", "evidence", "transitions", "audit", "payout_details"] as const;
const KEPT = ["payouts", "batches", "comments"] as const;
const FIRST_COLUMN = {
  attempts: "worker",
  evidence: "kind",
  transitions: "actor",
  audit: "actor",
  comments: "text",
};

describe("F32 no SQL statement changes recorded history", () => {
  test.each(STORY)("%s has rows to try", async (table) => {
    const [count] = await query(open.url, `select count(*)::int as n from ${table}`);
    expect(count?.["n"]).toBeGreaterThan(0);
  });

  test.each(Object.entries(FIRST_COLUMN))("%s refuses an update", async (table, column) => {
    await expect(query(open.url, `update ${table} set ${column} = 'other'`)).rejects.toThrow(
      `the table ${table} is append-only`,
    );
  });

  test.each([...STORY, ...KEPT])("%s refuses delete and truncate", async (table) => {
    const refusal = `the table ${table} is append-only`;
    await expect(query(open.url, `delete from ${table}`)).rejects.toThrow(refusal);
    await expect(query(open.url, `truncate ${table} cascade`)).rejects.toThrow("append-only");
  });

  test("payouts that were never approved can be removed, and only then their details", async () => {
    const { batch } = await ingestFile(open.ledger, fileText([{}]), "user:US1");
    const ids = "select id from payouts where batch_id = $1";
    const details = () =>
      query(open.url, `delete from payout_details where payout_id in (${ids})`, [batch.id]);
    await expect(details()).rejects.toThrow("the table payout_details is append-only");
    const approved = "select remove_payouts(array_agg(id)) from payouts where seq > 0";
    const refusal = "the table payouts is append-only";
    await expect(query(open.url, approved)).rejects.toThrow(refusal);
    const unapproved = "select remove_payouts(array_agg(id)) from payouts where batch_id = $1";
    const waiting = await ingestFile(open.ledger, fileText([{}, {}]), "cli:root");
    await expect(query(open.url, unapproved, [waiting.batch.id])).rejects.toThrow(refusal);
    for (const known of ["queried_at = now()", "status_queries = 1", "maybe_arrived = true"]) {
      const { batch: other } = await ingestFile(open.ledger, fileText([{}]), "user:US1");
      await query(open.url, `update payouts set ${known} where batch_id = $1`, [other.id]);
      await expect(query(open.url, unapproved, [other.id])).rejects.toThrow(refusal);
    }
    await query(open.url, unapproved, [batch.id]);
    expect(await query(open.url, ids, [batch.id])).toEqual([]);
  });

  test("encrypted details refuse an update", async () => {
    await expect(query(open.url, "update payout_details set sealed = ''")).rejects.toThrow(
      "the table payout_details is append-only",
    );
  });

  test("I5 F126 keeps transaction codes unique forever", async () => {
    const columns = "transaction_code, account_digest, amount_minor, minor_unit, sealed";
    const copy = `insert into payout_details (payout_id, ${columns})
      select 1000000 + payout_id, ${columns} from payout_details`;
    await expect(query(open.url, copy)).rejects.toThrow("payout_details_code");
  });
});
