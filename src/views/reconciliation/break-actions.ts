import type { AnswerOf } from "#api/app/operation.ts";
import type { BREAK_ACTION_API, BreakActionView } from "#api/reconciliation/break-actions.ts";
import { findDisplayNames } from "#ledger/people/names.ts";
import { type ActionBreak, findAppliedInput } from "#ledger/reconciliation/bulk/applied.ts";
import {
  findDecidedExplanations,
  type LeftBreaks,
  type StoredBreakAction,
} from "#ledger/reconciliation/bulk/break-actions.ts";
import { findBreaksById } from "#ledger/reconciliation/breaks.ts";
import type { Database } from "#ledger/store/database.ts";
import { BREAK_LEFT_REASONS } from "#reconciliation/break-action.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { breakItems } from "#views/reconciliation/breaks.ts";

type Listed = AnswerOf<
  (typeof BREAK_ACTION_API)["GET /api/break-actions/:id/breaks"]
>["items"][number];

/** Returns an action on several breaks as people see it. */
export async function breakActionView(
  database: Database,
  action: StoredBreakAction,
): Promise<BreakActionView> {
  const { assignee, explanation } =
    action.appliedAt === null ? {} : await findAppliedInput(database, action.id);
  const decided = await findDecidedExplanations(database, action.id);
  const made = { explanation: explanation ?? "", proposedBy: action.createdBy };
  const explanations =
    explanation === undefined ? decided : [{ ...made, count: action.changed ?? 0 }];
  const proposers = explanations.map(({ proposedBy }) => proposedBy);
  const actors = [...proposers, action.createdBy, assignee ?? ""];
  const nameOf = await findDisplayNames(database, actors, null);
  const personOf = (actor: string) => ({ actor, name: nameOf(actor).name });
  return {
    id: action.id,
    action: action.action,
    created_by: personOf(action.createdBy),
    created_at: action.createdAt.toISOString(),
    expires_at: action.expiresAt.toISOString(),
    selected: action.selected,
    qualifying: {
      count: action.qualifying.reduce((sum, { count }) => sum + count, 0),
      kinds: action.qualifying.map(({ differences, ...kind }) => ({
        ...kind,
        differences: [...differences],
      })),
    },
    not_qualifying: leftView(action.excluded),
    digest: action.digest,
    explanations: explanations.map(({ explanation: text, proposedBy, count }) => ({
      explanation: text,
      by: personOf(proposedBy),
      count,
    })),
    assigned_to: assignee ? personOf(assignee) : null,
    applied_at: action.appliedAt?.toISOString() ?? null,
    changed: action.changed,
    left: action.left && leftView(action.left),
  };
}

const leftView = (left: readonly LeftBreaks[]): BreakActionView["not_qualifying"] =>
  left.map(({ reason, count }) => ({ reason, text: BREAK_LEFT_REASONS[reason], count }));

/** Returns selected breaks of an action as a person sees them. */
export async function actionBreakViews(
  selected: readonly ActionBreak[],
  person: Person,
  deps: Pick<ServerDeps, "database" | "sealer">,
): Promise<Listed[]> {
  const ids = selected.map(({ id }) => id);
  const items = await breakItems(await findBreaksById(deps.database, ids), person, deps);
  const known = new Map(items.map((item) => [item.id, item]));
  return selected.flatMap(({ id, version, outcome }) => {
    const item = known.get(id);
    if (!item) return [];
    const has_changed = item.version !== version;
    return [{ break: item, has_changed, outcome, outcome_text: outcomeText(outcome) }];
  });
}

function outcomeText(outcome: ActionBreak["outcome"]): string {
  if (outcome === "qualifies") return "The action applies to the break.";
  return outcome === "changed" ? "The action changed the break." : BREAK_LEFT_REASONS[outcome];
}
