import { sql } from "kysely";
import { appendAudit } from "#ledger/audit.ts";
import { heldAsNumbers } from "#ledger/batch-findings.ts";
import type { Database } from "#ledger/database.ts";
import { SCHEDULE, type Schedule } from "#ledger/schedules.ts";
import { submitBatch } from "#ledger/submission.ts";
import { whyNotHandedIn } from "#schedule/schedule.ts";

/** An occurrence whose batch is to be made. */
export interface DueOccurrence extends Schedule {
  readonly day: string;
  readonly local: string;
  readonly sendAt: Date;
  /** A person has said that it is not too late, and the ledger was not frozen since. */
  readonly byHand: boolean;
  /** The ledger was frozen since: its batch may have been made, and paid, in the history that it lost. */
  readonly isOfBeforeFreeze: boolean;
  /** The files that lay in its folder at the last look, and whether it has been just these for a while. */
  readonly seen: readonly string[] | null;
  readonly isQuiet: boolean;
  /** An earlier one of this schedule that is not decided. */
  readonly undecided: string | null;
  /** When a person last said that one of them is left out. */
  readonly skippedAt: Date | null;
  /** The time of the ledger. */
  readonly now: Date;
}

/** A server that a ledger was put back on may be slow by so much: what the lost history made an hour ago is yet to come there. */
const CLOCKS_APART = sql`interval '1 hour'`;
/** A folder in which nothing has changed for so long holds whole files. */
const QUIET = sql`interval '60 seconds'`;
/** How long until a folder is looked into again. */
const LOOK_AGAIN = sql`interval '15 seconds'`;

export async function dueOccurrences(
  database: Database,
  sizeMax: number,
): Promise<DueOccurrence[]> {
  const { rows } = await sql<DueOccurrence>`
    select ${SCHEDULE}, o.day, o.local, o.send_at as "sendAt", now() as now, o.seen,
      coalesce(o.seen_at <= now() - ${QUIET}, false) as "isQuiet",
      o.by_hand and o.updated_at > coalesce(f.at, '-infinity') as "byHand",
      coalesce(o.make_at <= f.at + ${CLOCKS_APART}, false) as "isOfBeforeFreeze",
      (select min(e.day) from occurrences e where e.schedule_id = o.schedule_id and e.day < o.day
        and e.state in ('due', 'missed', 'failed')) as undecided,
      (select max(e.updated_at) from occurrences e where e.schedule_id = o.schedule_id
        and e.state = 'skipped') as "skippedAt"
    from occurrences o join schedules s on s.id = o.schedule_id
    left join lateral (
      select at::timestamptz as at from audit where object = 'ledger' and action = 'freeze' order by seq desc limit 1) f on true
    where o.state = 'due' and s.state = 'active' and (o.look_at is null or o.look_at <= now())
    order by o.make_at, o.schedule_id limit ${sizeMax}`.execute(database);
  return rows;
}

/** Its file is not there, or may not be whole: it is looked for again in a while. */
export async function waitForFile(
  database: Database,
  { id, day }: Pick<DueOccurrence, "id" | "day">,
  { seen, why }: { readonly seen: readonly string[]; readonly why: string },
): Promise<void> {
  const files = JSON.stringify(seen);
  await sql`
    update occurrences set look_at = now() + ${LOOK_AGAIN}, why = ${why},
      seen_at = case when seen = ${files}::jsonb then seen_at else now() end, seen = ${files}::jsonb
    where schedule_id = ${id} and day = ${day} and state = 'due'`.execute(database);
}

/** The files out of which batches of this schedule were made. */
export async function takenFiles(database: Database, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ file: string }>`
    select seen ->> 0 as file from occurrences
    where schedule_id = ${id} and state = 'made' and seen is not null`.execute(database);
  return new Set(rows.map(({ file }) => file));
}

/** The occurrence that a batch is made for, kept with it in one commit. */
export interface MadeFor {
  readonly id: string;
  readonly day: string;
  /** The batch whose rows are paid again: whoever brought or edited it has a hand in this one too. */
  readonly list: string | null;
  /** What is to be said of it. */
  readonly note: string | null;
}

/** The occurrence was ended by somebody else; nothing of the batch is kept. */
export class OccurrenceEnded extends Error {}

/**
 * Ends the occurrence with the batch that is being written, and hands the batch in where nothing is wrong with it.
 *
 * @throws OccurrenceEnded
 */
export async function endWithBatch(
  transaction: Database,
  { list, note, ...occurrence }: MadeFor,
  batch: { readonly id: string; readonly actor: string; readonly rejected: number },
  at: Date,
): Promise<void> {
  const { id: batchId, actor, rejected } = batch;
  const { length: numbers } = await heldAsNumbers(transaction, batchId);
  const obstacle = whyNotHandedIn({ rejected, numbers });
  const why = [note, obstacle].filter((text) => text !== null).join(" ") || null;
  const ended = await endOccurrence(transaction, occurrence, { state: "made", batchId, why }, at);
  if (!ended) throw new OccurrenceEnded();
  await sql`
    insert into batch_editors (batch_id, actor)
    select ${batchId}, actor from (
      select maker as actor from batches where id = ${list}
      union select actor from batch_editors where batch_id = ${list}
    ) before where actor <> ${actor}
    on conflict do nothing`.execute(transaction);
  if (obstacle !== null) return;
  await submitBatch(transaction, { batchId, leaveOut: false, compared: [], actor, at });
}

export type Ending =
  | { readonly state: "made"; readonly batchId: string; readonly why: string | null }
  | { readonly state: "missed" | "failed"; readonly why: string };

/** Writes down what became of a due occurrence. False: somebody was first, or has paused its schedule. */
export async function endOccurrence(
  transaction: Database,
  { id, day }: { readonly id: string; readonly day: string },
  ending: Ending,
  at: Date,
): Promise<boolean> {
  const { state, why } = ending;
  const batchId = "batchId" in ending ? ending.batchId : null;
  const { rows } = await sql`
    update occurrences set state = ${state}, batch_id = ${batchId}, why = ${why}, updated_at = now()
    where schedule_id = ${id} and day = ${day} and state = 'due'
      and exists (select from schedules s where s.id = schedule_id and s.state = 'active') returning day`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  const facts = { day, batch: batchId, reason: why };
  const action = `occurrence_${state}`;
  await appendAudit(transaction, at, { actor: "tick", action, object: id, facts });
  return true;
}

/** A person's word about an occurrence that was missed or has failed: make it all the same, or leave it. */
export async function decideOccurrence(
  transaction: Database,
  order: {
    id: string;
    day: string;
    word: "make" | "skip";
    reason: string;
    actor: string;
    at: Date;
  },
): Promise<boolean> {
  const { id, day, word, reason, actor, at } = order;
  const { rows } = await sql`
    update occurrences set state = ${word === "make" ? "due" : "skipped"}, by_hand = true, why = ${reason}, look_at = null,
      updated_at = now()
    where schedule_id = ${id} and day = ${day} and state in ('missed', 'failed') returning day`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  const facts = { day, reason };
  const action = `${word}_occurrence`;
  await appendAudit(transaction, at, { actor, action, object: id, facts });
  return true;
}
