import type { NotifiedAuditLine } from "#ledger/notification/people-notices.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { PendingChange } from "#ledger/people/pending-changes.ts";
import { PEOPLE_ACTIONS, type PeopleAction, peopleFacts } from "#notification/people.ts";

const LINES_MAX = 500;
const ACTIONS = Object.keys(PEOPLE_ACTIONS);

/**
 * Creates the messages about people, keys and second factors from new lines of the audit log. The
 * messages and the new position in the log are one commit, so that after a crash each line still
 * has exactly one message.
 *
 * @param canMail whether users are informed at their own e-mail addresses.
 */
export async function createPeopleNotices(
  ledger: LedgerSteps,
  { canMail }: { readonly canMail: boolean },
): Promise<void> {
  let lines: NotifiedAuditLine[] | null = [];
  while (lines) {
    lines = await ledger.transaction(async (transaction) => {
      const followed = await transaction.notification.claimAuditLines({
        actions: ACTIONS,
        sizeMax: LINES_MAX,
      });
      for (const line of followed ?? []) {
        const { facts, userIds } = await createNotice(transaction, line);
        await transaction.notification.createPersonNotice(line, {
          facts,
          userIds,
          canMail,
        });
      }
      return followed;
    });
  }
}

async function createNotice(transaction: LedgerSteps, line: NotifiedAuditLine) {
  const action = line.action as PeopleAction;
  const change = action.endsWith("_change")
    ? await transaction.people.findChange(line.object)
    : null;
  const key = action.startsWith("key_") ? await transaction.people.findKey(line.object) : null;
  const terms = (change?.change ?? {}) as Readonly<Record<string, unknown>>;
  const subject = change
    ? typeof terms["user_id"] === "string"
      ? terms["user_id"]
      : null
    : (key?.createdBy ?? line.object);

  const person = subject === null ? null : await nameOf(transaction, subject);
  const facts = peopleFacts({
    action,
    at: line.at,
    by: (await nameOf(transaction, idOf(line.actor))) ?? actorName(line.actor),
    byId: line.actor.startsWith("user:") ? idOf(line.actor) : null,
    person,
    isOwn: line.actor === `user:${subject}`,
    key: key?.name ?? null,
    change: change && {
      terms,
      proposer: (await nameOf(transaction, change.proposedBy)) ?? change.proposedBy,
      isOwn: line.actor === `user:${change.proposedBy}`,
      takesEffectAt: change.takesEffectAt?.toISOString() ?? null,
    },
    facts: line.facts,
  });
  const concerned = person === null ? [] : [subject];
  const others = change ? await othersToInform(transaction, action, change) : [];
  // The audit line of the change itself informs the user whom it concerns.
  const isDone = action === "confirm_change" || action === "apply_change";
  const userIds = new Set([...(isDone ? [] : concerned), ...others]);
  return { facts, userIds: [...userIds].filter((id) => id !== null) };
}

/**
 * Lists the proposer of a change and, for a change of a lone admin, every person who can reject it.
 */
async function othersToInform(
  transaction: LedgerSteps,
  action: PeopleAction,
  { proposedBy, takesEffectAt, change }: PendingChange,
): Promise<string[]> {
  if (takesEffectAt) return [...(await transaction.notification.findDecidingUsers()), proposedBy];
  const isKnown =
    action === "propose_change" ||
    // The maker of a key is informed by the audit line about the key.
    (action === "confirm_change" && (change as { kind?: unknown }).kind === "key");
  return isKnown ? [] : [proposedBy];
}

const idOf = (actor: string): string => actor.replace(/^user:/, "");

/** Returns the name of a user; null if no user has this ID. */
async function nameOf(ledger: LedgerSteps, id: string): Promise<string | null> {
  const user = await ledger.people.findAccount({ id });
  return user && `${user.name} (${user.email})`;
}

const actorName = (actor: string): string =>
  actor.startsWith("cli:") ? `${actor.slice("cli:".length)} on the server's command line` : actor;
