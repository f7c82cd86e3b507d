import type { Clock } from "#base/clock.ts";
import { err, type Result } from "#base/result.ts";
import {
  type ErasedRows,
  type ErasureObstacle,
  ErasureRefused,
} from "#ledger/erasure/erase-data.ts";
import type { ErasedPerson } from "#ledger/erasure/erasures.ts";
import type { Ledger, LedgerSteps } from "#ledger/ledger.ts";
import {
  ChangedSinceProposal,
  type ResolutionRefusal,
  valueOrRefusal,
} from "#ledger/payout/resolution-refusals.ts";

export interface ErasureDeps {
  readonly ledger: Pick<Ledger, "transaction" | "erasure" | "payout">;
  readonly clock: Clock;
}

export type ErasureRefusal =
  | "not_found"
  | { readonly code: "wrong_state"; readonly detail: string }
  | ResolutionRefusal;

/** A person to be erased, by any payout to the person's account, or any deposit of the payer. */
export interface ProposedErasure {
  readonly code: string;
  /** The audit log keeps it, so it must not contain data of the person. */
  readonly reason: string;
  readonly actor: string;
  /** Payouts that changed after this time must be kept. Null: none. */
  readonly keptAfter: Date | null;
}

/** The numbers of a proposal, and whether the person was erased immediately. */
export interface Proposed extends ErasedRows {
  readonly id: number;
  readonly isErased: boolean;
}

/**
 * Proposes to erase the person of a payout. On the command line of a ledger without approvers, the
 * person is erased immediately.
 */
export async function proposeErasure(
  { code, reason, actor, keptAfter }: ProposedErasure,
  { ledger, clock }: ErasureDeps,
): Promise<Result<Proposed, ErasureRefusal>> {
  const person = await ledger.erasure.findPersonOf(code);
  if (!person) return err("not_found");
  return orObstacle(
    ledger.transaction(async (transaction) => {
      const { erasure, payout } = transaction;
      const rows = await erasure.previewErasure({ person, keptAfter });
      const id = await erasure.insertErasure({ ...person, reason, proposedBy: actor });
      if (id === null) throw new AlreadyProposed();
      const work = { transaction, at: new Date(clock.nowMs()), actor, id, keptAfter };
      await record(work, "propose_erasure", { reason, ...counts(rows) });
      const isAlone = actor.startsWith("cli:") && !(await payout.hasApprover());
      if (!isAlone) return { id, isErased: false, ...rows };
      await erasure.decideErasure({ id, outcome: "alone", by: actor });
      return { id, isErased: true, ...(await erase(work, person, actor)) };
    }),
  );
}

/**
 * Confirms or refuses an erasure. The person who confirms must not be the one who proposed it. A
 * confirmed erasure cannot be undone.
 */
export async function decideOnErasure(
  {
    id,
    agree,
    actor,
    keptAfter,
  }: {
    readonly id: number;
    readonly agree: boolean;
    readonly actor: string;
    readonly keptAfter: Date | null;
  },
  { ledger, clock }: ErasureDeps,
): Promise<Result<ErasedRows | null, ErasureRefusal>> {
  const proposal = await ledger.erasure.findErasure(id);
  if (!proposal) return err("not_found");
  return orObstacle(
    ledger.transaction(async (transaction) => {
      const outcome = agree ? "agreed" : "refused";
      const work = { transaction, at: new Date(clock.nowMs()), actor, id, keptAfter };
      if (!(await transaction.erasure.decideErasure({ id, outcome, by: actor })))
        throw new ChangedSinceProposal();
      if (agree) return erase(work, proposal, proposal.proposedBy);
      await record(work, "refuse_erasure", { proposed_by: proposal.proposedBy });
      return null;
    }),
  );
}

interface Work {
  readonly transaction: LedgerSteps;
  readonly at: Date;
  readonly actor: string;
  readonly id: number;
  readonly keptAfter: Date | null;
}

async function erase(
  work: Work,
  { kind, account }: ErasedPerson,
  proposedBy: string,
): Promise<ErasedRows> {
  const { transaction, id, keptAfter } = work;
  const rows = await transaction.erasure.eraseData({ id, person: { kind, account }, keptAfter });
  await record(work, "erase_person", { proposed_by: proposedBy, ...counts(rows) });
  return rows;
}

const counts = ({ payouts, fileRows, comments }: ErasedRows) => ({
  payouts,
  file_rows: fileRows,
  comments,
});

async function record(
  { transaction, at, actor, id }: Work,
  action: "propose_erasure" | "refuse_erasure" | "erase_person",
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const object = `erasure ${id}`;
  await transaction.integrity.appendAudit(at, { actor, action, object, facts });
}

/** Thrown when an erasure of the same account waits for its confirmation. */
class AlreadyProposed extends Error {}

async function orObstacle<T>(work: Promise<T>): Promise<Result<T, ErasureRefusal>> {
  try {
    return await valueOrRefusal(work);
  } catch (error) {
    if (error instanceof AlreadyProposed) {
      const detail = "An erasure of this person is waiting for its confirmation.";
      return err({ code: "wrong_state", detail });
    }
    if (!(error instanceof ErasureRefused)) throw error;
    return err({ code: "wrong_state", detail: textOf(error.obstacle) });
  }
}

function textOf(obstacle: ErasureObstacle): string {
  switch (obstacle.kind) {
    case "open_payouts":
      return `${obstacle.count} of this person's payouts are not final. Wait until they are, or resolve them.`;
    case "open_rows":
      return `${obstacle.count} of this person's file rows are in batches that are not finished. Finish or cancel these batches.`;
    case "recent_payouts":
      return `${obstacle.count} of this person's payouts must be kept longer.`;
    case "open_deposits":
      return `${obstacle.count} of this person's deposits are not final, or payrun still queries them. Wait, or resolve them.`;
    case "recent_deposits":
      return `${obstacle.count} of this person's deposits must be kept longer.`;
    case "archived_payouts":
      return `${obstacle.count} of this person's payouts are in archive files. Put them back with payrun archive restore, and archive them again after the erasure.`;
    case "shared_key":
      return "This person's data has the same key as that of another account. No data was erased.";
  }
}
