import type { FastifyInstance } from "fastify";
import {
  type FailureRef,
  assignFailure,
  type Assignment,
  commentOnFailure,
  snoozeFailure,
} from "#flows/operations/assign-failures.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem, type ProblemCode } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { findAssignableUsers } from "#ledger/operations/failure-assignments.ts";
import { SNOOZE_DAYS_MAX } from "#payout/failure-explanations.ts";
import type { Result } from "#base/result.ts";

/** Registers the routes for assigning and snoozing failures. They do not change payouts. */
export function assignmentRoutes(
  app: FastifyInstance,
  deps: ServerDeps,
  live: LiveDocuments,
): void {
  const give = async (
    asked: FailureRef,
    wish: Omit<Assignment, "actor">,
    actor: string,
  ): Promise<void> => orRefuse(await assignFailure(asked, { ...wish, actor }, deps), asked);
  const put = async (
    asked: FailureRef,
    { until, seen_at }: { readonly until: string | null; readonly seen_at: string },
    actor: string,
  ): Promise<void> => {
    const wish = { until: until === null ? null : new Date(until), seenAt: new Date(seen_at) };
    orRefuse(await snoozeFailure(asked, { ...wish, actor }, deps), asked);
  };

  assignablePeopleRoute(app, deps);

  route(app, deps, "PUT /api/failures/assignment", async ({ body, person }) => {
    const { to, from, ...cause } = body;
    await give({ cause }, { to, from }, person.actor);
  });

  route(app, deps, "POST /api/failures/notes", async ({ body, person }) => {
    const { text, ...cause } = body;
    orRefuse(await commentOnFailure(cause, { text, actor: person.actor }, deps), { cause });
  });

  route(app, deps, "PUT /api/failures/snooze", async ({ body, person }) => {
    const { until, seen_at, ...cause } = body;
    await put({ cause }, { until, seen_at }, person.actor);
  });

  route(app, deps, "PUT /api/payouts/:code/assignment", async ({ params, body, person }) => {
    await give(params, body, person.actor);
    live.invalidate(`payout:${params.code}`);
  });

  route(app, deps, "PUT /api/payouts/:code/snooze", async ({ params, body, person }) => {
    await put(params, body, person.actor);
    live.invalidate(`payout:${params.code}`);
  });
}

/** Registers the list of the users to whom people assign failures and breaks. */
export function assignablePeopleRoute(app: FastifyInstance, deps: RouteDeps): void {
  route(app, deps, "GET /api/failures/people", async () => ({
    items: await findAssignableUsers(deps.database),
  }));
}

/** Why the request was refused, and the next step. */
const DETAILS = {
  not_found: (what) => `There is no ${what}. Reload the list.`,
  wrong_state: () =>
    "You can only assign payouts that need attention, and only snooze those that payrun does not process automatically.",
  content_changed: () => "The payout has changed since you opened it. Review it again.",
  time_passed: () => "This day has already started. Choose a later day.",
  snooze_too_long: () => `Choose a day within the next ${SNOOZE_DAYS_MAX} days.`,
  in_other_hands: () => "This item has been assigned to another user since you opened it.",
  no_such_user: () => "This user does not exist. GET /api/failures/people lists all users.",
  user_disabled: () => "This user is disabled. Choose another user.",
} as const satisfies Readonly<Record<string, (what: string) => string>>;

function orRefuse(done: Result<true, keyof typeof DETAILS>, asked: FailureRef): void {
  if (done.ok) return;
  const what = "cause" in asked ? "payout in this failure group" : `payout ${asked.code}`;
  const { error } = done;
  const code: ProblemCode =
    error === "no_such_user" ? "not_found" : error === "in_other_hands" ? "content_changed" : error;
  throw new Problem(code, { detail: DETAILS[error](what) });
}
