import { type Answer, call, type Input } from "../../../server/client.ts";
import { queryClient } from "../../../server/query-client.ts";
import type { ListedBreak } from "../break-amounts.ts";
import type { messages } from "./bulk-messages.ts";

/** An action on several breaks. */
export type BreakActionName = keyof typeof messages.actions;

/** An action with its preview, and its result once it was applied. */
export type BreakAction = Answer<"POST /api/break-actions">;

type Body = NonNullable<Input<"POST /api/break-actions">["body"]>;
export type BreakFilter = NonNullable<Body["filter"]>;

/** The breaks that an action is for: all that a filter finds, or the named ones. */
export type BreakSelection = { readonly filter: BreakFilter } | { readonly breaks: number[] };

/**
 * Whether the action may change the break. The bar offers only actions that may change a selected
 * break; the server decides which breaks qualify.
 */
export function mayChange(action: BreakActionName, { state, proposal }: ListedBreak): boolean {
  if (state === "resolved" || state === "closed") return false;
  if (action === "assign") return true;
  if (action === "propose") return proposal === null;
  return proposal !== null && !proposal.is_own;
}

/** Asks which breaks the action would change. Nothing changes. */
export const previewAction = (
  action: BreakActionName,
  selection: BreakSelection,
): Promise<BreakAction> =>
  action === "assign" || action === "propose"
    ? call("POST /api/break-actions", { body: { action, ...selection } })
    : call("POST /api/break-decisions", { body: { agree: action === "confirm", ...selection } });

/** The input of a person for the action. */
export interface BreakActionInput {
  /** A user ID. Empty: nobody. */
  readonly assignee: string;
  readonly explanation: string;
}

/** Applies a preview to exactly the breaks in it that still qualify. */
export async function applyAction(
  { id, action }: BreakAction,
  { assignee, explanation }: BreakActionInput,
): Promise<BreakAction> {
  const params = { id };
  try {
    if (action === "assign") {
      const to = assignee === "" ? null : assignee;
      return await call("POST /api/break-actions/:id/assign", { params, body: { to } });
    }
    if (action === "propose") {
      const body = { explanation: explanation.trim() };
      return await call("POST /api/break-actions/:id/propose", { params, body });
    }
    return await call("POST /api/break-decisions/:id/apply", { params });
  } finally {
    for (const name of CHANGED) void queryClient.invalidateQueries({ queryKey: [name] });
  }
}

/** The data that an action may change. */
const CHANGED = [
  "GET /api/breaks",
  "GET /api/breaks/:id",
  "GET /api/break-actions",
  "GET /api/reconciliation-lanes",
  "GET /api/days/:day",
];
