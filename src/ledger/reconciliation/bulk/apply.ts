import { sql } from "kysely";
import { err, ok, type Result } from "#base/result.ts";
import { hasApprover } from "#ledger/payout/resolution-refusals.ts";
import { createAssignmentNotice } from "#ledger/notification/assignment-notices.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  digestOf,
  getBreakAction,
  listedBreak,
  lockBreakAction,
  type StoredBreakAction,
} from "#ledger/reconciliation/bulk/break-actions.ts";
import { leftOf, storedKinds } from "#ledger/reconciliation/bulk/preview.ts";
import { isCommandLine, OPEN_PROPOSAL, whyLeft } from "#ledger/reconciliation/bulk/why-left.ts";
import type { BreakEvent } from "#ledger/reconciliation/breaks.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  type BreakAction,
  type BreakLeftReason,
  BREAKS_LISTED_MAX,
} from "#reconciliation/break-action.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";
import { kindsOf } from "#reconciliation/break-difference.ts";

/** An order to apply a preview. */
export interface BreakApplyOrder {
  readonly id: string;
  readonly actions: readonly BreakAction[];
  readonly actor: string;
  readonly at: Date;
  /** For an assignment: the user. Null: nobody. */
  readonly assignee: string | null;
  /** For a proposal. */
  readonly explanation: string;
}

export type BreakApplyRefusal = "not_found" | "not_own_preview" | "preview_expired";

/** A previewed break as it is now. */
interface PreviewedBreak {
  readonly id: number;
  readonly version: number;
  readonly class: BreakClass;
  /** The previous assignee as an actor. Null: nobody. */
  readonly assignee: string | null;
  readonly ledgerShows: string | null;
  readonly statementShows: string | null;
  readonly proposal: number | null;
  readonly explanation: string | null;
  readonly reason: BreakLeftReason | null;
}

/**
 * Changes exactly the previewed breaks that still qualify and have not changed, with one line on
 * the audit log. An action that was applied before is returned as it is, so a caller who has lost
 * the answer may repeat the request.
 *
 * @throws the refusal of the ledger: see runOrRefuse.
 */
export async function applyBreakAction(
  transaction: Database,
  order: BreakApplyOrder,
): Promise<Result<StoredBreakAction, BreakApplyRefusal>> {
  const { id, actor, at } = order;
  const known = await lockBreakAction(transaction, id);
  if (!known || !order.actions.includes(known.action)) return err("not_found");
  if (known.createdBy !== actor) return err("not_own_preview");
  if (known.appliedAt) return ok(known);
  if (known.expiresAt <= at) return err("preview_expired");
  await sql`set local statement_timeout = 0`.execute(transaction);
  const found = await lockPreviewed(transaction, known);
  const changed = found.filter(({ reason }) => reason === null);
  await CHANGES[known.action](transaction, changed, order);
  await sql`
    insert into break_action_outcomes (action_id, break_id, outcome)
    select ${id}, break_id, outcome
    from unnest(${found.map((each) => each.id)}::bigint[],
      ${found.map(({ reason }) => reason ?? "changed")}::text[]) made (break_id, outcome)`.execute(
    transaction,
  );
  const left = leftOf(found.flatMap(({ reason }) => reason ?? []));
  await sql`
    update break_actions set applied_at = ${at}, changed = ${changed.length},
      left_out = ${JSON.stringify(left)}
    where id = ${id}`.execute(transaction);
  // All writers of the audit log wait for this line's transaction, so it comes last.
  const facts = { ...factsOf(known.action, changed, order), left };
  await appendAudit(transaction, at, { actor, action: "apply_break_action", object: id, facts });
  return ok(await getBreakAction(transaction, id));
}

/**
 * The facts of the audit log: the sums, and the changed breaks with their versions and proposals.
 * If there are many, the line has only the digest of their list, which `break_action_outcomes` has.
 */
const factsOf = (
  action: BreakAction,
  changed: readonly PreviewedBreak[],
  { assignee, explanation }: BreakApplyOrder,
) => ({
  action,
  ...(changed.length <= BREAKS_LISTED_MAX && {
    breaks: changed.map((each) => listedBreak(action, each)),
  }),
  digest: digestOf(action, changed),
  kinds: storedKinds(kindsOf(changed)),
  ...(action === "assign" && { assignee: assignee ?? "" }),
  ...(action === "propose" && { explanation }),
});

/** Locks the previewed breaks that qualified, and returns why some no longer do. */
async function lockPreviewed(
  transaction: Database,
  { id, action, createdBy }: StoredBreakAction,
): Promise<PreviewedBreak[]> {
  await sql`
    select from breaks where id in (
      select break_id from break_action_rows where action_id = ${id} and excluded is null)
    order by id for update`.execute(transaction);
  const hasMoved =
    action === "assign" || action === "propose"
      ? sql`b.version <> previewed.version`
      : sql`(b.version <> previewed.version or r.id is distinct from previewed.proposal)`;
  const { rows } = await sql<PreviewedBreak>`
    select b.id, b.version, b.class, b.assignee, b.ledger_shows as "ledgerShows",
      b.statement_shows as "statementShows", r.id as proposal, r.explanation,
      coalesce(${whyLeft(action, createdBy)}, case when ${hasMoved} then 'moved' end) as reason
    from break_action_rows previewed join breaks b on b.id = previewed.break_id ${OPEN_PROPOSAL}
    where previewed.action_id = ${id} and previewed.excluded is null
    order by b.id`.execute(transaction);
  return rows;
}

type Change = (
  transaction: Database,
  changed: readonly PreviewedBreak[],
  order: BreakApplyOrder,
) => Promise<void>;

const CHANGES: Readonly<Record<BreakAction, Change>> = {
  async assign(transaction, changed, order) {
    await sql`
      update breaks set assignee = ${order.assignee}
      where id = any (${idsOf(changed)}::bigint[])`.execute(transaction);
    await record(transaction, changed, { ...order, event: "assigned", text: order.assignee ?? "" });
    const { length: newlyAssigned } = changed.filter(({ assignee }) => assignee !== order.assignee);
    if (newlyAssigned === 0) return;
    await createAssignmentNotice(transaction, {
      kind: "break_action",
      object: order.id,
      what: newlyAssigned === 1 ? "1 break" : `${newlyAssigned} breaks`,
      to: order.assignee,
      actor: order.actor,
      at: order.at,
    });
  },
  async propose(transaction, changed, order) {
    // A proposal for earlier values of the break still waits.
    await sql`
      update break_resolutions set outcome = 'replaced', decided_by = ${order.actor},
        decided_at = now()
      where break_id = any (${idsOf(changed)}::bigint[]) and outcome is null`.execute(transaction);
    const { rows: proposed } = await sql<{ proposal: number }>`
      insert into break_resolutions (break_id, version, explanation, proposed_by, at)
      select break_id, version, ${order.explanation}, ${order.actor}, now()
      from unnest(${idsOf(changed)}::bigint[],
        ${changed.map(({ version }) => version)}::integer[]) made (break_id, version)
      returning id as proposal`.execute(transaction);
    await move(transaction, changed, "proposed");
    const text = order.explanation;
    await record(transaction, changed, { ...order, event: "proposed", text });
    if (!(await isAlone(transaction, order))) return;
    await decide(transaction, proposed, { by: order.actor, outcome: "alone" });
    await move(transaction, changed, "resolved");
    await record(transaction, changed, { ...order, event: "resolved", text });
  },
  async confirm(transaction, changed, order) {
    const outcome = (await isAlone(transaction, order)) ? "alone" : "agreed";
    await decide(transaction, changed, { by: order.actor, outcome });
    await move(transaction, changed, "resolved");
    await record(transaction, changed, { ...order, event: "resolved", text: null });
  },
  async reject(transaction, changed, order) {
    await decide(transaction, changed, { by: order.actor, outcome: "refused" });
    await move(transaction, changed, "open");
    await record(transaction, changed, { ...order, event: "refused", text: null });
  },
};

/** Whether the operator of this machine decides alone, because payrun has no approver. */
const isAlone = async (
  transaction: Database,
  { actor }: Pick<BreakApplyOrder, "actor">,
): Promise<boolean> => isCommandLine(actor) && !(await hasApprover(transaction));

const idsOf = (breaks: readonly PreviewedBreak[]): number[] => breaks.map(({ id }) => id);

async function move(
  transaction: Database,
  changed: readonly PreviewedBreak[],
  state: "open" | "proposed" | "resolved",
): Promise<void> {
  await sql`
    update breaks set state = ${state}
    where id = any (${idsOf(changed)}::bigint[])`.execute(transaction);
}

async function decide(
  transaction: Database,
  changed: readonly Pick<PreviewedBreak, "proposal">[],
  { by, outcome }: { readonly by: string; readonly outcome: "agreed" | "refused" | "alone" },
): Promise<void> {
  await sql`
    update break_resolutions set outcome = ${outcome}, decided_by = ${by}, decided_at = now()
    where id = any (${changed.flatMap(({ proposal }) => proposal ?? [])}::bigint[])`.execute(
    transaction,
  );
}

/** Adds the event to the history of each break. */
async function record(
  transaction: Database,
  changed: readonly PreviewedBreak[],
  {
    event,
    actor,
    text,
  }: Pick<BreakEvent, "event" | "actor"> & {
    /** Null: the explanation of the proposal. */
    readonly text: string | null;
  },
): Promise<void> {
  await sql`
    insert into break_events (break_id, event, actor, text)
    select break_id, ${event}, ${actor}, text
    from unnest(${idsOf(changed)}::bigint[],
      ${changed.map(({ explanation }) => text ?? explanation ?? "")}::text[]) made (break_id, text)
    order by break_id`.execute(transaction);
}
