import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { systemClock } from "#base/clock.ts";
import { approvalsOf, sendBack, withdrawApproval } from "#ledger/approval/approvals.ts";
import { findWaitingBatches, whyApprovalsMissing } from "#ledger/approval/waiting-batches.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Batch } from "#ledger/ledger.ts";
import { openTestLedger, ingestFile, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const sql = (text: string, values: unknown[] = []) => query(open.url, text, values);
let count = 0;

async function person(...roles: string[]): Promise<string> {
  const id = `US${(count += 1)}`;
  await sql("insert into users (id, email, name, roles) values ($1, $2, $3, $4)", [
    id,
    `${id}@example.test`,
    `Person ${count}`,
    roles,
  ]);
  return id;
}

async function waitingBatch(maker: string, people = 2): Promise<Batch> {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(3)), `user:${maker}`);
  await sql(
    "update batches set people_needed = $2, approval_requested_at = now(), state = 'awaiting_approval' where id = $1",
    [batch.id, people],
  );
  return { ...batch, peopleNeeded: people as 2 };
}

/** An approval written by a statement that bypasses every flow. */
const insertApproval = (batch: Batch, userId: string, change: Record<string, unknown> = {}) =>
  sql(
    `insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
     values ($1, $2, $3, '{}', now() + $4 * interval '1 hour')`,
    [batch.id, userId, change["digest"] ?? batch.contentDigest, change["hours"] ?? 24],
  );
const setApproved = (batch: Batch) =>
  sql("update batches set state = 'approved' where id = $1", [batch.id]);

describe("I7 the ledger itself refuses", () => {
  test("an approval by the maker, whatever their roles", async () => {
    const maker = await person("uploader", "approver", "admin");
    const batch = await waitingBatch(maker);
    await expect(insertApproval(batch, maker)).rejects.toThrow("has made or edited");
  });

  test("an approval by the owner of the key that uploaded or edited it, and one before approval was requested", async () => {
    const owner = await person("admin", "approver");
    const other = await person("approver");
    await sql(
      `insert into api_keys (id, name, digest, shown, scopes, created_by, expires_at, created_at)
       values ('AK1', 'books', '\\x00', 'pk_', '{upload}', $1, now() + interval '1 day', now())`,
      [owner],
    );
    const { batch } = await ingestFile(open.ledger, fileText(rowsOf(2)), "key:AK1");
    await sql("update batches set people_needed = 2 where id = $1", [batch.id]);
    await expect(insertApproval(batch, other)).rejects.toThrow("is draft, and takes no approval");
    await sql(
      "update batches set approval_requested_at = now(), state = 'awaiting_approval' where id = $1",
      [batch.id],
    );
    await expect(insertApproval(batch, owner)).rejects.toThrow("has made or edited");
    const [waiting] = await findWaitingBatches(open.database, owner, batch.id);
    expect(waiting).toMatchObject({ mine: false });
    await insertApproval(batch, other);

    const edited = await waitingBatch(other);
    await sql("insert into batch_editors (batch_id, actor) values ($1, 'key:AK1')", [edited.id]);
    await expect(insertApproval(edited, owner)).rejects.toThrow("has made or edited");
  });

  test("an approval by someone who edited a row", async () => {
    const [maker, editor] = [await person("uploader"), await person("approver")];
    const batch = await waitingBatch(maker);
    await sql("insert into batch_editors (batch_id, actor) values ($1, $2)", [
      batch.id,
      `user:${editor}`,
    ]);
    await expect(insertApproval(batch, editor)).rejects.toThrow("has made or edited");
  });

  test("an approval by a disabled, unauthorised or unknown user", async () => {
    const [maker, viewer, gone] = [
      await person("uploader"),
      await person("viewer", "admin"),
      await person("approver"),
    ];
    await sql("update users set disabled_at = now() where id = $1", [gone]);
    const batch = await waitingBatch(maker);
    for (const each of [viewer, gone, "US0"]) {
      await expect(insertApproval(batch, each)).rejects.toThrow("is no approver");
    }
  });

  test("an approval of other content, or of a batch that does not await one", async () => {
    const [maker, checker] = [await person("uploader"), await person("approver")];
    const batch = await waitingBatch(maker);
    await expect(insertApproval(batch, checker, { digest: "00" })).rejects.toThrow(
      "is not what was seen",
    );
    await sql("update batches set approval_requested_at = null where id = $1", [batch.id]);
    await expect(insertApproval(batch, checker)).rejects.toThrow("was not sent for approval");
    await sql("update batches set state = 'cancelled' where id = $1", [batch.id]);
    await expect(insertApproval(batch, checker)).rejects.toThrow("takes no approval");
  });

  test("a batch without valid approvals: none, too few, expired, before an edit, by a user disabled since", async () => {
    const maker = await person("uploader");
    const [first, second] = [await person("approver"), await person("approver")];
    const batch = await waitingBatch(maker, 3);
    await expect(setApproved(batch)).rejects.toThrow("has 0 of 2 approvals");
    await insertApproval(batch, first);
    await expect(setApproved(batch)).rejects.toThrow("has 1 of 2 approvals");
    await insertApproval(batch, second);

    await sql("update users set disabled_at = now() where id = $1", [second]);
    await expect(setApproved(batch)).rejects.toThrow("has 1 of 2");
    await sql("update users set disabled_at = null where id = $1", [second]);

    await sql("update batches set content_digest = 'edited' where id = $1", [batch.id]);
    await expect(setApproved(batch)).rejects.toThrow("has 0 of 2");
    await sql("update batches set content_digest = $2 where id = $1", [
      batch.id,
      batch.contentDigest,
    ]);

    const late = await waitingBatch(maker, 2);
    await insertApproval(late, first, { hours: -1 });
    await expect(setApproved(late)).rejects.toThrow("has 0 of 1");

    await setApproved(batch);
  });

  test("a second approval by the same person, and a change or removal of one", async () => {
    const [maker, checker] = [await person("uploader"), await person("approver")];
    const batch = await waitingBatch(maker, 3);
    await insertApproval(batch, checker);
    await expect(insertApproval(batch, checker)).rejects.toThrow("approvals_not_withdrawn");
    const later = "update approvals set expires_at = expires_at + interval '1 day'";
    await expect(sql(later)).rejects.toThrow("withdrawn, not changed");
    await expect(sql("delete from approvals")).rejects.toThrow("append-only");
  });

  test("another maker for a batch, or fewer approvers than at its upload", async () => {
    const maker = await person("uploader");
    const batch = await waitingBatch(maker, 3);
    await expect(
      sql("update batches set maker = 'user:US0' where id = $1", [batch.id]),
    ).rejects.toThrow("the maker of a batch stays");
    await expect(
      sql("update batches set people_needed = 1 where id = $1", [batch.id]),
    ).rejects.toThrow("only rises");
  });
});

describe("approval on the dashboard", () => {
  const deps = () => ({ ...open, clock: systemClock });
  const say = (batch: Batch, userId: string) =>
    approveAs(
      { batchId: batch.id, userId, contentDigest: batch.contentDigest, totals: totalsOf(batch) },
      deps(),
    );

  test("approves batch and payouts with the last missing approval, in its approver's name", async () => {
    const maker = await person("uploader");
    const [first, second] = [await person("approver"), await person("approver")];
    const batch = await waitingBatch(maker, 3);
    expect(await say(batch, first)).toEqual({ ok: true, value: { missing: 1 } });
    expect((await open.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("awaiting_approval");
    expect(await say(batch, second)).toEqual({ ok: true, value: { missing: 0 } });
    expect((await open.ledger.payout.findBatch({ id: batch.id }))?.state).toBe("approved");
    const payouts = await sql(
      `select distinct p.state, t.actor from payouts p join transitions t on t.payout_id = p.id
       where p.batch_id = $1`,
      [batch.id],
    );
    expect(payouts).toEqual([{ state: "approved", actor: `user:${second}` }]);
    const lines = await sql("select actor, action from audit where object = $1 order by seq", [
      batch.id,
    ]);
    expect(lines.map(({ actor, action }) => `${String(actor)} ${String(action)}`)).toEqual([
      `user:${maker} ingest`,
      `user:${first} approval`,
      `user:${second} approve`,
    ]);
    expect((await verifyAudit(open.database)).intact).toBe(true);
  });

  test("leaves no record of a refused approval", async () => {
    const maker = await person("uploader", "approver");
    const [viewer, checker] = [await person("viewer"), await person("approver")];
    const batch = await waitingBatch(maker);
    const kindOf = async (made: ReturnType<typeof say>) => {
      const result = await made;
      return result.ok ? "ok" : result.error.kind;
    };
    expect(await kindOf(say(batch, maker))).toBe("own_batch");
    expect(await kindOf(say(batch, viewer))).toBe("not_an_approver");
    expect(await kindOf(say({ ...batch, contentDigest: "00" }, checker))).toBe("differs");
    expect(await kindOf(say({ ...batch, lanes: [] }, checker))).toBe("differs");
    expect(await approvalsOf(open.database, batch.id)).toEqual([]);
    expect(await kindOf(say(batch, checker))).toBe("ok");
    expect(await kindOf(say(batch, checker))).toBe("wrong_state");
  });

  test("records two concurrent approvals, and approves the batch once", async () => {
    const maker = await person("uploader");
    const [first, second] = [await person("approver"), await person("approver")];
    const batch = await waitingBatch(maker, 3);
    const both = await Promise.all([say(batch, first), say(batch, second)]);
    expect(new Set(both.map((each) => each.ok && each.value.missing))).toEqual(new Set([0, 1]));
  });

  test("discounts withdrawn and returned approvals, and accepts new ones", async () => {
    const maker = await person("uploader");
    const checker = await person("approver");
    const batch = await waitingBatch(maker, 3);
    const at = new Date();
    await say(batch, checker);
    const back = { batchId: batch.id, userId: checker, at };
    expect(await withdrawApproval(open.database, back)).toBe(true);
    expect(await withdrawApproval(open.database, back)).toBe(false);
    expect(await say(batch, checker)).toMatchObject({ ok: true, value: { missing: 1 } });
    const no = { batchId: batch.id, actor: `user:${checker}`, reason: "who is this?", at };
    expect(await sendBack(open.database, no)).toBe(true);
    expect(await sendBack(open.database, no)).toBe(false);
    const given = await approvalsOf(open.database, batch.id);
    expect(given.map(({ live, withdrawnWhy }) => [live, withdrawnWhy])).toEqual([
      [false, "taken back"],
      [false, "the batch was sent back"],
    ]);
    expect(await open.ledger.payout.findBatch({ id: batch.id })).toMatchObject({
      state: "needs_correction",
      reason: "who is this?",
    });
  });

  test("ignores an approval from before an edit when the next one follows", async () => {
    const maker = await person("uploader");
    const checker = await person("approver");
    const batch = await waitingBatch(maker, 3);
    await say(batch, checker);
    await sql("update batches set content_digest = 'edited' where id = $1", [batch.id]);
    const edited = { ...batch, contentDigest: "edited" };
    expect(await say(batch, checker)).toMatchObject({ ok: false, error: { kind: "differs" } });
    expect(await say(edited, checker)).toMatchObject({ ok: true, value: { missing: 1 } });
  });

  test("prevents one person from paying alone if two are required; the command line counts as one person", async () => {
    const batch = await waitingBatch(await person("uploader"));
    const { contentDigest } = batch;
    const alone = { actor: "cli:root", contentDigest, totals: totalsOf(batch) };
    expect(await approve(batch.id, alone, open)).toMatchObject({
      ok: false,
      error: { kind: "more_people", people: 2 },
    });
  });
});

describe("pending approvals", () => {
  test("show who can approve, and when no one can", async () => {
    const lone = await openTestLedger();
    const add = (id: string, roles: string[]) =>
      query(lone.url, "insert into users (id, email, name, roles) values ($1, $1, $1, $2)", [
        id,
        roles,
      ]);
    await add("USmaker", ["uploader", "approver"]);
    await add("USchecker", ["approver"]);
    const { batch } = await ingestFile(lone.ledger, fileText(rowsOf(1)), "user:USmaker");
    expect(await findWaitingBatches(lone.database, "USchecker")).toEqual([]);
    await query(
      lone.url,
      "update batches set approval_requested_at = now(), state = 'awaiting_approval'",
    );
    const seenBy = async (id: string) => (await findWaitingBatches(lone.database, id))[0];
    expect(await seenBy("USmaker")).toMatchObject({ own: true, mine: false, able: ["USchecker"] });
    const waiting = await seenBy("USchecker");
    expect(waiting).toMatchObject({ batchId: batch.id, own: false, mine: true, given: 0 });
    expect(waiting && whyApprovalsMissing(waiting)).toBeNull();

    await query(lone.url, "update users set disabled_at = now() where id = 'USchecker'");
    const stuck = await seenBy("USchecker");
    expect(stuck).toMatchObject({ mine: false, able: [] });
    expect(stuck && whyApprovalsMissing(stuck)).toMatch("no eligible approver is left");
    await lone.close();
  });
});
