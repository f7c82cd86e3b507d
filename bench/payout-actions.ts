/** Time that actions on many payouts take: the preview, and the change with its audit line. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { readConfig } from "#app/config.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import {
  applyPayoutAction,
  assignPreviewedPayouts,
  decidePayoutAction,
  previewPayoutAction,
} from "#flows/payout/payout-actions.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import { insertUser } from "#ledger/people/users.ts";
import type { BulkAction } from "#payout/action/payout-action.ts";
import type { Result } from "#base/result.ts";
import { laneOf } from "#payout/payout.ts";
import { reconcile, writeStatement } from "./reconcile.ts";
import { fillSettledDay, type SettledDay } from "./settled-day.ts";
import { median, openEmbedded, scratch, settingsIn, writeInrFile } from "./support.ts";

/** Seconds of one action, or of the confirmation of a resolution. */
export interface ActionSeconds {
  readonly action: BulkAction | "confirm";
  readonly preview: number;
  readonly apply: number;
}

const ACTOR = "bench";
const REASON = "bench";

const secondsBetween = (fromMs: number, toMs: number): number => (toMs - fromMs) / 1_000;

type Apply = (seen: PayoutAction) => Promise<Result<PayoutAction, string>>;

/**
 * Measures the preview of an action and its application, which must change as many payouts as
 * expected.
 */
async function measureAction(
  {
    action,
    filter,
    expected,
    apply,
  }: {
    readonly action: BulkAction;
    readonly filter: Parameters<typeof previewPayoutAction>[0]["filter"];
    readonly expected: number;
    /** Undefined: the action is applied at once. */
    readonly apply?: Apply | undefined;
  },
  deps: Pick<Payrun, "ledger">,
): Promise<ActionSeconds> {
  const startedMs = performance.now();
  const order = { action, filter, selection: {}, actor: ACTOR };
  const seen = await previewPayoutAction(order, deps);
  const seenMs = performance.now();
  if (!seen.ok) throw new Error(seen.error);
  const { id } = seen.value;
  const applied = await (apply
    ? apply(seen.value)
    : applyPayoutAction({ id, actor: ACTOR, reason: REASON }, deps));
  const appliedMs = performance.now();
  if (!applied.ok || applied.value.changed?.count !== expected) {
    throw new Error(`expected ${expected} changed payouts: ${JSON.stringify(applied)}`);
  }
  return {
    action,
    preview: secondsBetween(startedMs, seenMs),
    apply: secondsBetween(seenMs, appliedMs),
  };
}

/** Holds back and releases all payouts of a batch several times, and then cancels them. */
export async function measurePayoutActions(rows: number, runs: number): Promise<ActionSeconds[]> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { ledger, keyring } = payrun;
  try {
    const file = writeInrFile(join(folder, "payouts.csv"), rows, 1);
    const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
    const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
    if (!taken.ok) throw new Error("the file was refused");
    const { batch } = taken.value;
    const order = { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
    const approved = await approve(batch.id, order, { ledger });
    if (!approved.ok) throw new Error(JSON.stringify(approved.error));
    const act = (action: BulkAction) =>
      measureAction({ action, filter: { batchId: batch.id }, expected: rows }, { ledger });
    const measured: ActionSeconds[] = [];
    for (let run = 0; run < runs; run++) {
      measured.push(await act("hold_back"), await act("release"));
    }
    measured.push(await act("cancel"));
    return [...Map.groupBy(measured, ({ action }) => action)].map(([action, same]) => ({
      action,
      preview: median(same.map(({ preview }) => preview)),
      apply: median(same.map(({ apply }) => apply)),
    }));
  } finally {
    await payrun.close();
  }
}

/**
 * Queries payouts of one day, assigns them to a user, and resolves them by the statement of the
 * day, which a second person confirms.
 */
export async function measureSentActions(rows: number): Promise<ActionSeconds[]> {
  const folder = scratch();
  const env = await settingsIn(folder);
  const payrun = await openPayrun(readConfig(env));
  try {
    const lane = laneOf("BENCH", "INR");
    const day: SettledDay = { lane, currency: "INR", day: "2026-11-26", payouts: rows };
    await fillSettledDay(env.DATABASE_OWNER_URL, day);
    const statement = join(folder, "day.csv");
    await writeStatement(statement, day);
    await reconcile(statement, day, env);
    return await actOnSent(day, env.DATABASE_OWNER_URL, payrun);
  } finally {
    await payrun.close();
  }
}

async function actOnSent(
  { lane, payouts }: SettledDay,
  ownerUrl: string,
  { ledger, database }: Payrun,
): Promise<ActionSeconds[]> {
  const act = (action: BulkAction, expected: number, apply?: Apply) =>
    measureAction({ action, filter: { lane }, expected, apply }, { ledger });
  const person = (name: string) =>
    insertUser(database, {
      email: `${name}@example.test`,
      name,
      roles: ["approver"],
      at: new Date(),
    });
  const [to, approver] = [await person("assignee"), await person("approver")];

  await force(`${BATCHES}; update payouts set state = 'accepted', settled_at = null`, ownerUrl);
  const query = await act("query", payouts);
  await force("update payouts set state = 'on_hold', reason = 'no_answer'", ownerUrl);
  const assign = await act("assign", payouts, ({ id }) =>
    assignPreviewedPayouts({ id, actor: ACTOR, to }, { ledger }),
  );
  // The bench leaves one payout out of the statement.
  const listed = payouts - 1;
  let confirmSeconds = 0;
  const resolve = await act("resolve", listed, async ({ id }) => {
    const proposed = await applyPayoutAction({ id, actor: ACTOR, reason: REASON }, { ledger });
    if (!proposed.ok) return proposed;
    const startedMs = performance.now();
    const decision = { id, actor: `user:${approver}`, agree: true, reason: null };
    const decided = await decidePayoutAction(decision, { ledger });
    confirmSeconds = secondsBetween(startedMs, performance.now());
    return decided;
  });
  const proposal = { ...resolve, apply: resolve.apply - confirmSeconds };
  return [query, assign, proposal, { action: "confirm", preview: 0, apply: confirmSeconds }];
}

const BATCHES = `
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, created_at, approved_at)
  select batch_id, sha256(batch_id::bytea), '\\x00', 'day.csv', 'approved', count(*), 0, '{}', min(id), max(id), now(), now()
  from payouts group by batch_id`;

/** Moves payouts to states that only answers of the gateway lead to. */
async function force(statement: string, ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("set search_path to payrun; set session_replication_role = replica");
  await client.query(statement);
  await client.query("analyze payouts, payout_details, statement_lines");
  await client.end();
}
