import { differencesFrom } from "#batch/control-totals.ts";
import type { HeldAsNumber } from "#batch/held-numbers.ts";
import { isBeforeApproval } from "#batch/lifecycle.ts";
import type { Priority } from "#batch/priority.ts";
import { totalsOf } from "#flows/approve.ts";
import { whyNobody, waitingFor } from "#ledger/approvals.ts";
import { askedCanary, setCanary } from "#ledger/canaries.ts";
import { heldAsNumbers } from "#ledger/batch-findings.ts";
import { type Batch, findBatch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import { setPriority } from "#ledger/priority.ts";
import {
  describeBatch,
  type Described,
  lockBatch,
  noteBringer,
  noteEditor,
  readDescription,
  submitBatch,
} from "#ledger/submission.ts";
import { err, ok, type Result } from "#result.ts";

export interface Submission extends Described {
  readonly batchId: string;
  /** Goes on without the rejected rows. */
  readonly leaveOut: boolean;
  /** Somebody has compared what a spreadsheet held as a number with papers of their own. */
  readonly numbersCompared: boolean;
  readonly actor: string;
  readonly at: Date;
}

export type HandInRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "wrong_state"; readonly state: Batch["state"] }
  | { readonly kind: "submitted_already" }
  | { readonly kind: "numbers_not_compared"; readonly held: readonly HeldAsNumber[] }
  /** In words, for whoever can do something about it. */
  | { readonly kind: "obstacles"; readonly obstacles: readonly string[] };

/** Takes back what the hand-in has written. */
class Refused extends Error {
  readonly refusal: HandInRefusal;

  constructor(refusal: HandInRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/**
 * Hands a batch in for approval: as it was said to be, and only where somebody can approve it. What is refused leaves
 * no word behind, and nobody stands behind it.
 */
export async function handIn(
  submission: Submission,
  database: Database,
): Promise<Result<true, HandInRefusal>> {
  try {
    await database.transaction().execute((transaction) => handedIn(submission, transaction));
    return ok(true);
  } catch (error) {
    if (error instanceof Refused) return err(error.refusal);
    throw error;
  }
}

/** @throws Refused */
async function handedIn(submission: Submission, transaction: Database): Promise<void> {
  const { batchId, leaveOut, numbersCompared, actor, at } = submission;
  const locked = await lockBatch(transaction, batchId);
  const batch = await findBatch(transaction, { id: batchId });
  if (!locked || !batch) throw new Refused({ kind: "not_found" });
  // What approvers have before them is not described anew.
  if (!isBeforeApproval(batch.state))
    throw new Refused({ kind: "wrong_state", state: batch.state });
  if (locked.isSubmitted) throw new Refused({ kind: "submitted_already" });
  await describeBatch(transaction, submission);
  // Whoever says what the batch is, leaves rows out or hands it in stands behind it, as its maker does.
  if (actor !== batch.maker) await noteEditor(transaction, { batchId, actor, at });
  const obstacles = await obstaclesOf(transaction, batch, leaveOut);
  if (obstacles.length > 0) throw new Refused({ kind: "obstacles", obstacles });
  const compared = await heldAsNumbers(transaction, batchId);
  if (compared.length > 0 && !numbersCompared) {
    throw new Refused({ kind: "numbers_not_compared", held: compared });
  }
  // One that an approver gave back has no wrong row: it goes on as it is.
  const goOn = leaveOut || batch.rejected === 0;
  if (!(await submitBatch(transaction, { batchId, leaveOut: goOn, compared, actor, at })))
    throw new Refused({ kind: "wrong_state", state: batch.state });
}

/** What whoever brings a file that is in the ledger already says of its batch. */
interface SaidAgain extends Described {
  readonly batchId: string;
  readonly actor: string;
  readonly at: Date;
  /** How many payouts of each lane go first. Undefined: not said. */
  readonly canary?: number | undefined;
  /** Undefined: not said. */
  readonly priority?: Priority | undefined;
}

export interface BroughtAgain {
  /** What they expect of it and it does not come to. */
  readonly differences: readonly string[];
  /** What they say of it and it is not, because it was handed in before: a sentence each. */
  readonly kept: readonly string[];
}

export const NOTHING_TO_SAY: BroughtAgain = { differences: [], kept: [] };

/**
 * Whoever brings a file that is there already has brought it, too, and what they say of it counts until it is handed in.
 * From then on it stays as it is, and they are told what does.
 */
export async function bringAgain(said: SaidAgain, database: Database): Promise<BroughtAgain> {
  const { batchId, actor, at, canary, priority, expected } = said;
  return database.transaction().execute(async (transaction) => {
    await noteBringer(transaction, { batchId, actor, at });
    const locked = await lockBatch(transaction, batchId);
    const batch = await findBatch(transaction, { id: batchId });
    if (!locked || !batch) return NOTHING_TO_SAY;
    if (locked.isSubmitted || !isBeforeApproval(batch.state)) {
      const found = { rows: batch.rows, totals: [...totalsOf(batch).values()] };
      const differences = differencesFrom(expected, found);
      return { differences, kept: await whatStays(said, batch, transaction) };
    }
    await describeBatch(transaction, said);
    if (canary !== undefined) await setCanary(transaction, { batchId, payouts: canary, actor, at });
    if (priority !== undefined && priority !== batch.priority) {
      await setPriority(transaction, { batchId, priority, reason: "brought so", actor, at });
    }
    return NOTHING_TO_SAY;
  });
}

/** What was said of a batch that stays as it is, and differs from what stands. */
async function whatStays(said: SaidAgain, batch: Batch, database: Database): Promise<string[]> {
  const { name, purpose } = await readDescription(database, batch.id);
  const canary = await askedCanary(database, batch.id);
  const stands = { name, purpose, canary, priority: batch.priority };
  return (["name", "purpose", "canary", "priority"] as const).flatMap((word) => {
    const wanted = said[word] ?? null;
    const standing = stands[word];
    if (wanted === null || wanted === standing) return [];
    const stays = standing === null ? "stays empty" : `stays as it is: ${standing}`;
    return `It was handed in before, so its ${word} ${stays}.`;
  });
}

/** Why the batch cannot be handed in as it stands; empty: it can. */
export async function obstaclesOf(
  database: Database,
  batch: Batch,
  leaveOut: boolean,
): Promise<string[]> {
  const { expected } = await readDescription(database, batch.id);
  const totals = [...totalsOf(batch).values()];
  const found = differencesFrom(expected, { rows: batch.rows, totals });
  if (batch.rejected === batch.rows) found.push("No row can be paid as it stands.");
  else if (batch.rejected > 0 && batch.state === "needs_correction" && !leaveOut) {
    const [rows, them] =
      batch.rejected === 1 ? ["1 row is", "it"] : [`${batch.rejected} rows are`, "them"];
    found.push(`${rows} wrong: repair ${them}, or go on without ${them}.`);
  }
  const [waiting] = await waitingFor(database, null, batch.id);
  const nobody = waiting ? whyNobody(waiting) : null;
  return nobody === null ? found : [...found, nobody];
}
