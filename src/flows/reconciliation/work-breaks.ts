import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import { mentionsIn } from "#comment/mentions.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Break } from "#ledger/reconciliation/breaks.ts";
import {
  ChangedSinceProposal,
  type ResolutionRefusal,
  runOrRefuse,
} from "#ledger/payout/resolution-refusals.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { err, type Result } from "#base/result.ts";

/**
 * One step of work on a break. `propose` proposes to the approvers how the break is explained;
 * `decide` confirms or refuses the proposal with this ID.
 */
export type StepOnBreak =
  | { readonly kind: "assign"; readonly assignee: string | null }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "propose"; readonly explanation: string }
  | { readonly kind: "decide"; readonly agree: boolean; readonly proposal: number };

export type BreakRefusal = "not_found" | "wrong_state" | ResolutionRefusal;

/** The break as a person saw it. */
interface SeenBreak {
  readonly id: number;
  readonly version: number;
  readonly actor: string;
}

/**
 * Makes one step of work on a break, and records it on the break and on the audit log in one
 * commit. The next round of notifications tells the users whom a comment mentions, and the
 * assignee. An approver who confirms a proposal must not be its proposer. On the command line of a
 * ledger without approvers, a proposal takes effect immediately.
 */
export async function stepOnBreak(
  seen: SeenBreak,
  step: StepOnBreak,
  { ledger, clock }: StatementDeps,
): Promise<Result<true, BreakRefusal>> {
  const known = await ledger.reconciliation.findBreak(seen.id);
  if (!known) return err("not_found");
  const isUnresolved = known.state === "open" || known.state === "proposed";
  if (step.kind !== "comment" && !isUnresolved) return err("wrong_state");
  if (step.kind !== "comment" && known.version !== seen.version) return err("content_changed");
  const at = new Date(clock.nowMs());
  return runOrRefuse(
    ledger.transaction((transaction) =>
      STEPS[step.kind]({ seen, known, at, transaction }, step as never),
    ),
  );
}

interface Work {
  readonly seen: SeenBreak;
  readonly known: Break;
  readonly at: Date;
  readonly transaction: LedgerSteps;
}

type StepNamed<Kind> = Extract<StepOnBreak, { readonly kind: Kind }>;
type Steps = {
  readonly [Kind in StepOnBreak["kind"]]: (work: Work, step: StepNamed<Kind>) => Promise<void>;
};

const STEPS: Steps = {
  async assign(work, { assignee }) {
    const { reconciliation } = work.transaction;
    if (!(await reconciliation.assignBreak(work.seen.id, assignee)))
      throw new ChangedSinceProposal();
    if (assignee !== work.known.assignee)
      await work.transaction.notification.createAssignmentNotice({
        kind: "break",
        object: String(work.seen.id),
        what: `break ${work.seen.id} of ${work.known.day}`,
        to: assignee,
        actor: work.seen.actor,
        at: work.at,
      });
    await record(work, "assigned", assignee ?? "");
  },
  async comment(work, { text }) {
    const users = await work.transaction.comment.findMentionableUsers();
    const mentions = mentionsIn(text, users).map(({ id }) => id);
    await record(work, "commented", text, mentions);
  },
  async propose(work, { explanation }) {
    const { id, version, actor } = work.seen;
    const { reconciliation, payout } = work.transaction;
    const proposal = { id, version, explanation, proposedBy: actor };
    const number = await reconciliation.insertBreakResolution(proposal);
    await move(work, ["open", "proposed"], "proposed");
    await record(work, "proposed", explanation);
    if (!actor.startsWith("cli:") || (await payout.hasApprover())) return;
    await reconciliation.recordBreakDecision({ id: number, outcome: "alone", by: actor });
    await resolve(work, explanation);
  },
  async decide(work, { agree, proposal }) {
    const { id, version, actor } = work.seen;
    const { reconciliation } = work.transaction;
    const waiting = await reconciliation.findBreakResolution(id, version);
    // Another explanation may have replaced the one that the approver saw.
    if (waiting?.id !== proposal) throw new ChangedSinceProposal();
    const outcome = agree ? "agreed" : "refused";
    await reconciliation.recordBreakDecision({ id: proposal, outcome, by: actor });
    if (agree) return resolve(work, waiting.explanation);
    await move(work, ["proposed"], "open");
    await record(work, "refused", waiting.explanation);
  },
};

async function resolve(work: Work, explanation: string): Promise<void> {
  await move(work, ["proposed"], "resolved");
  await record(work, "resolved", explanation);
}

async function move(
  { seen: { id, version }, transaction }: Work,
  from: readonly Break["state"][],
  to: Break["state"],
): Promise<void> {
  const moved = await transaction.reconciliation.moveBreak({ id, version, from, to });
  if (!moved) throw new ChangedSinceProposal();
}

/** The events of people, with their actions on the audit log. */
const ACTIONS = {
  assigned: "assign_break",
  commented: "comment_break",
  proposed: "propose_break",
  refused: "refuse_break",
  resolved: "resolve_break",
} as const satisfies Record<string, AuditAction>;

async function record(
  { seen: { id, actor }, known, at, transaction }: Work,
  event: keyof typeof ACTIONS,
  text: string,
  mentions: readonly string[] | null = null,
): Promise<void> {
  await transaction.reconciliation.recordBreakEvent({ id, event, actor, text, mentions });
  const { class: kind, code, lane, day, version, ledgerShows, statementShows } = known;
  const values = { version, ledger: ledgerShows, statement: statementShows };
  const facts = { class: kind, code, lane, day, ...values, ...(text !== "" && { text }) };
  const line = { actor, action: ACTIONS[event], object: `break ${id}`, facts };
  await transaction.integrity.appendAudit(at, line);
}
