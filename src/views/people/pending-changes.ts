import type { AnswerOf } from "#api/app/operation.ts";
import type { PENDING_CHANGE_API } from "#api/people/pending-changes.ts";
import { LIMIT_SCOPES } from "#approval/payout-limits.ts";
import type { AdminChange } from "#flows/people/admin-changes.ts";
import { countConfirmingAdmins, mayRefuse } from "#flows/people/second-admin.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findOpenChanges } from "#ledger/people/pending-changes.ts";
import { groupDigits } from "#money/format.ts";
import { RETENTION_KIND_NAMES, RETENTION_KINDS } from "#integrity/retention.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";

type Change = AnswerOf<(typeof PENDING_CHANGE_API)["GET /api/pending-changes"]>["items"][number];

/** Returns the pending changes that this person may see, oldest first. */
export async function openChangesFor(person: Person, deps: ServerDeps): Promise<Change[]> {
  const { database, clock, ledger } = deps;
  const now = new Date(clock.nowMs());
  const pending = (await findOpenChanges(database, now)).filter((each) => mayRefuse(each, person));
  if (pending.length === 0) return [];
  const changes = pending.map((each) => ({ ...each, change: each.change as AdminChange }));
  const isAdmin = person.permissions.has("administer");
  const otherAdmins = await countConfirmingAdmins(ledger, person.id, deps);
  const nameOf = await findActorNames(
    database,
    changes.flatMap(({ change, proposedBy }) => [
      actorOf(proposedBy),
      ...("user_id" in change ? [actorOf(change.user_id)] : []),
    ]),
  );
  return changes.map(({ id, change, proposedBy, at, expiresAt, takesEffectAt }) => ({
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
  }));
}

/** Returns the pending changes that this admin can confirm now. */
export const changesToConfirm = async (person: Person, deps: ServerDeps): Promise<Change[]> =>
  person.kind === "user" && person.permissions.has("administer")
    ? (await openChangesFor(person, deps)).filter((change) => change.may_confirm)
    : [];

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
            `${MEASURES[measure]} above ${groupDigits(above, currency ?? "")} ${currency ?? "in any currency"} requires ${people(many)}`,
        ),
        `Approvals are valid for ${change.hours} hours`,
      ];
    case "payout_limits":
      return [
        ...change.limits.map(
          ({ scope, currency, amount, hard }) =>
            `${groupDigits(amount, currency)} ${currency} for ${LIMIT_SCOPES[scope].what}: ${hard ? "a higher amount cannot be approved" : "a higher amount needs one more approver"}`,
        ),
        `Days start at midnight in the ${change.zone} time zone`,
        change.when_short === "refuse"
          ? "A batch can be approved only if the known balance covers it"
          : "Approvers see a warning if the balance does not cover the batch",
      ];
    case "second_factor_policy":
      return [`Roles that require a second factor: ${change.roles.join(", ") || "none"}`];
    case "retention":
      return [
        ...RETENTION_KIND_NAMES.map((kind) => {
          const days = change.rules[kind];
          return `${RETENTION_KINDS[kind].keeps}: ${days === null ? "no rule" : `${days} days`}`;
        }),
        change.hold === null ? "No legal hold" : `Legal hold: ${change.hold}`,
      ];
    case "detach_archive":
      return [
        `Remove the rows of archive ${change.archive_id} from the ledger once payrun archive detach has found them in its file`,
      ];
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
