import { ApiProblem, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import type { ListedBreak } from "./break-amounts.ts";
import type { messages } from "./bulk-messages.ts";

/** An action on several breaks. */
export type BreakActionName = keyof typeof messages.actions;

/** Why a selected break cannot be changed. */
export type Obstacle = "finished" | "proposed" | "noProposal" | "own";

/** Returns why the action cannot change the break; null if it can. */
export function obstacleOf(action: BreakActionName, { state, proposal }: ListedBreak) {
  if (state === "resolved" || state === "closed") return "finished" satisfies Obstacle;
  if (action === "assign") return null;
  if (action === "propose") return proposal ? ("proposed" satisfies Obstacle) : null;
  if (!proposal) return "noProposal" satisfies Obstacle;
  return proposal.is_own ? ("own" satisfies Obstacle) : null;
}

/** The input of an action. */
export interface BreakActionInput {
  readonly action: BreakActionName;
  readonly breaks: readonly ListedBreak[];
  /** A user ID. Empty: nobody. */
  readonly assignee: string;
  readonly explanation: string;
}

/** The breaks that changed, and the others by problem. */
export interface BreakActionResult {
  readonly done: number;
  readonly problems: ReadonlyMap<string, number>;
}

/** Maximum number of breaks in one request. */
const REQUEST_MAX = 200;

/**
 * Applies the action to each break in the version that the person saw. A break that has changed
 * meanwhile is reported and not changed.
 */
export async function applyToBreaks(input: BreakActionInput): Promise<BreakActionResult> {
  let done = 0;
  const problems = new Map<string, number>();
  const record = (title: string | null): void => {
    if (title === null) done += 1;
    else problems.set(title, (problems.get(title) ?? 0) + 1);
  };
  try {
    if (input.action === "assign" || input.action === "propose") {
      for (let from = 0; from < input.breaks.length; from += REQUEST_MAX) {
        const part = input.breaks.slice(from, from + REQUEST_MAX);
        for (const { problem } of await requestFor(input, part)) record(problem?.title ?? null);
      }
    } else {
      // Each decision is bound to the proposal that the approver saw.
      for (const each of input.breaks) record(await decide(each, input.action === "confirm"));
    }
  } finally {
    void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks"] });
    void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks/:id"] });
    void queryClient.invalidateQueries({ queryKey: ["GET /api/days/:day"] });
  }
  return { done, problems };
}

async function requestFor(input: BreakActionInput, part: readonly ListedBreak[]) {
  const breaks = part.map(({ id, version }) => ({ id, version }));
  const { items } =
    input.action === "assign"
      ? await call("POST /api/breaks/assignments", {
          body: { breaks, to: input.assignee === "" ? null : input.assignee },
        })
      : await call("POST /api/breaks/proposals", {
          body: { breaks, explanation: input.explanation.trim() },
        });
  return items;
}

/** Returns the title of the refusal; null: the decision is recorded. */
async function decide({ id, version, proposal }: ListedBreak, agree: boolean) {
  if (!proposal) return null;
  try {
    await call("POST /api/breaks/:id/decide", {
      params: { id },
      body: { agree, version, proposal: proposal.id },
    });
    return null;
  } catch (error) {
    // Without an answer, the rest of the breaks is not decided either.
    if (!(error instanceof ApiProblem)) throw error;
    return error.message;
  }
}
