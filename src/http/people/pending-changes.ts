import type { FastifyInstance } from "fastify";
import { LIMIT_SCOPES } from "#approval/payout-limits.ts";
import type { AdminChange } from "#flows/people/admin-changes.ts";
import {
  countConfirmingAdmins,
  confirmChange,
  mayRefuse,
  proposeChange,
  withdrawChange,
} from "#flows/people/second-admin.ts";
import type { ServerDeps } from "#views/deps.ts";
import { refuseUnusedRules } from "#http/approval/approval-rules.ts";
import { refuseWrongLimits } from "#http/approval/payout-limits.ts";
import { shownLink } from "#http/people/people.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route } from "#http/server/routes.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { isSetUp, findOpenChanges } from "#ledger/people/pending-changes.ts";

/** Adds the API routes for changes that need a second admin. */
export function pendingChangeRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/pending-changes", async ({ person }) => {
    const now = new Date(clock.nowMs());
    const pending = (await findOpenChanges(database, now)).filter((each) =>
      mayRefuse(each, person),
    );
    const changes = pending.map((each) => ({ ...each, change: each.change as AdminChange }));
    const isAdmin = person.permissions.has("administer");
    const otherAdmins = await countConfirmingAdmins(deps.ledger, person.id, deps);
    const nameOf = await findActorNames(
      database,
      changes.flatMap(({ change, proposedBy }) => [
        actorOf(proposedBy),
        ...("user_id" in change ? [actorOf(change.user_id)] : []),
      ]),
    );
    return {
      items: changes.map(({ id, change, proposedBy, at, expiresAt, takesEffectAt }) => ({
        id,
        kind: change.kind,
        says: describeChange(change, (userId) => nameOf(actorOf(userId))),
        proposed_by: { actor: actorOf(proposedBy), name: nameOf(actorOf(proposedBy)) },
        at: at.toISOString(),
        expires_at: expiresAt.toISOString(),
        takes_effect_at: takesEffectAt?.toISOString() ?? null,
        own: proposedBy === person.id,
        may_confirm:
          isAdmin &&
          (proposedBy === person.id
            ? otherAdmins === 0 && takesEffectAt !== null && takesEffectAt <= now
            : true),
      })),
      other_admins: otherAdmins,
      is_set_up: await isSetUp(database),
    };
  });

  route(app, deps, "POST /api/pending-changes", async ({ body, person }) => {
    if (body.kind === "approval_rules") await refuseUnusedRules(body.rules, deps);
    if (body.kind === "payout_limits") await refuseWrongLimits(body.limits, deps);
    return { id: orRefuse(await proposeChange(body, person, deps)) };
  });

  route(app, deps, "POST /api/pending-changes/:id/confirm", async ({ params, person }) => {
    const link = orRefuse(await confirmChange(params.id, person, deps));
    return { link: link && shownLink(link) };
  });

  route(app, deps, "POST /api/pending-changes/:id/withdraw", async ({ params, person }) => {
    orRefuse(await withdrawChange(params.id, person, deps));
  });
}

const actorOf = (userId: string): string => `user:${userId}`;
const MEASURES = { row: "A single payout", total: "A batch total" } as const;

/** Describes a change for the admin who confirms it, one effect per line. */
function describeChange(change: AdminChange, nameOf: (userId: string) => string): string[] {
  switch (change.kind) {
    case "approval_rules":
      return [
        `Every batch requires ${people(change.base)}`,
        ...change.rules.map(
          ({ measure, above, currency, people: many }) =>
            `${MEASURES[measure]} above ${above} ${currency ?? "in any currency"} requires ${people(many)}`,
        ),
        `Approvals are valid for ${change.hours} hours`,
      ];
    case "payout_limits":
      return [
        ...change.limits.map(
          ({ scope, currency, amount, hard }) =>
            `${amount} ${currency} for ${LIMIT_SCOPES[scope].what}: ${hard ? "a higher amount cannot be approved" : "a higher amount needs one more approver"}`,
        ),
        `Days start at midnight in the ${change.zone} time zone`,
        change.when_short === "refuse"
          ? "A batch can be approved only if the known balance covers it"
          : "Approvers see a warning if the balance does not cover the batch",
      ];
    case "second_factor_policy":
      return [`Roles that require a second factor: ${change.roles.join(", ") || "none"}`];
    case "invite":
      return [`Invite ${change.name} (${change.email}) as ${change.roles.join(", ")}`];
    case "roles":
      return [`Change the roles of ${nameOf(change.user_id)} to ${change.roles.join(", ")}`];
    case "enable":
      return [`Enable ${nameOf(change.user_id)}`];
    case "link":
      return [
        change.drop_totp
          ? `Create a new link for ${nameOf(change.user_id)} and remove their second factor`
          : `Create a new link for ${nameOf(change.user_id)}, who has no second factor`,
      ];
    case "key":
      return [`API key ${change.name} with the permissions ${change.scopes.join(", ")}`];
  }
}

const people = (count: number): string => (count === 1 ? "one person" : `${count} people`);
