import type { FastifyInstance } from "fastify";
import { LIMIT_SCOPES } from "#batch/money-limits.ts";
import {
  type AdminChange,
  adminsBeside,
  confirmChange,
  proposeChange,
  withdrawChange,
} from "#flows/people/second-admin.ts";
import type { Desk } from "#http/desk.ts";
import { refuseIdleRules } from "#http/approvals.ts";
import { refuseWrongLimits } from "#http/money-limits.ts";
import { shownLink } from "#http/people.ts";
import { orRefuse } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { namesOf } from "#ledger/people/names.ts";
import { openChanges } from "#ledger/people/pending-changes.ts";

export function pendingChangeRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock } = desk;

  route(app, desk, "GET /api/pending-changes", async ({ person }) => {
    const pending = await openChanges(database, new Date(clock.nowMs()));
    const changes = pending.map((each) => ({ ...each, change: each.change as AdminChange }));
    const nameOf = await namesOf(
      database,
      changes.flatMap(({ change, proposedBy }) => [
        actorOf(proposedBy),
        ...("user_id" in change ? [actorOf(change.user_id)] : []),
      ]),
    );
    return {
      items: changes.map(({ id, change, proposedBy, at, expiresAt }) => ({
        id,
        kind: change.kind,
        says: sayOf(change, (userId) => nameOf(actorOf(userId))),
        proposed_by: { actor: actorOf(proposedBy), name: nameOf(actorOf(proposedBy)) },
        at: at.toISOString(),
        expires_at: expiresAt.toISOString(),
        own: proposedBy === person.id,
      })),
      other_admins: await adminsBeside(database, person.id, desk),
    };
  });

  route(app, desk, "POST /api/pending-changes", async ({ body, person }) => {
    if (body.kind === "approval_rules") await refuseIdleRules(body.rules, desk);
    if (body.kind === "money_limits") await refuseWrongLimits(body.limits, desk);
    return { id: orRefuse(await proposeChange(body, person, desk)) };
  });

  route(app, desk, "POST /api/pending-changes/:id/confirm", async ({ params, person }) => {
    const link = orRefuse(await confirmChange(params.id, person, desk));
    return { link: link && shownLink(link) };
  });

  route(app, desk, "POST /api/pending-changes/:id/withdraw", async ({ params, person }) => {
    orRefuse(await withdrawChange(params.id, person, desk));
  });
}

const actorOf = (userId: string): string => `user:${userId}`;
const MEASURES = { row: "a single payout", total: "the total of a batch" } as const;

/** What somebody agrees to who confirms it. */
function sayOf(change: AdminChange, nameOf: (userId: string) => string): string[] {
  switch (change.kind) {
    case "approval_rules":
      return [
        `Every batch takes ${people(change.base)}`,
        ...change.rules.map(
          ({ measure, above, currency, people: many }) =>
            `${MEASURES[measure]} above ${above} ${currency ?? "of any currency"} takes ${people(many)}`,
        ),
        `An approval counts for ${change.hours} h`,
      ];
    case "money_limits":
      return [
        ...change.limits.map(
          ({ scope, currency, amount, hard }) =>
            `${amount} ${currency} for ${LIMIT_SCOPES[scope].what}: ${hard ? "more cannot be approved" : "more takes one more person"}`,
        ),
        `A day begins at midnight in ${change.zone}`,
        change.when_short === "refuse"
          ? "Nothing is approved that the balance is not known to cover"
          : "Where the balance does not cover it, approvers are warned",
      ];
    case "invite":
      return [`Invite ${change.name} (${change.email}) as ${change.roles.join(", ")}`];
    case "roles":
      return [`${nameOf(change.user_id)} becomes ${change.roles.join(", ")}`];
    case "enable":
      return [`Let ${nameOf(change.user_id)} in again`];
    case "link":
      return [
        change.drop_totp
          ? `A new link for ${nameOf(change.user_id)}, and their second factor removed`
          : `A new link for ${nameOf(change.user_id)}, who has no second factor`,
      ];
  }
}

const people = (count: number): string => (count === 1 ? "one person" : `${count} people`);
