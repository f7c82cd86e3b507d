import { type BatchState, BATCH_STATES } from "#batch/lifecycle.ts";
import type { Desk } from "#http/desk.ts";
import type { Person } from "#http/person.ts";
import {
  approvalsOf,
  approversNeeded,
  type Waiting,
  waitingFor,
  whyNobody,
} from "#ledger/approvals.ts";
import { amountOf } from "#money/format.ts";
import type { Money } from "#money/money.ts";

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export interface AllowedOr {
  readonly may: boolean;
  readonly why_not: string | null;
}

/** Allowed, unless one of these is a reason why not: the first that holds is told. */
export function allowedUnless(...reasons: readonly (string | false | null)[]): AllowedOr {
  const why = reasons.find((reason) => typeof reason === "string") ?? null;
  return { may: why === null, why_not: why || null };
}

export const missingOf = ({ peopleNeeded, limitPeople, given }: Waiting): number =>
  Math.max(approversNeeded(peopleNeeded, limitPeople) - given, 0);

/** How the batch stands to its approvals, for everybody. */
export async function policyOf({ database }: Desk, waiting: Waiting, state: BatchState) {
  const approvals = await approvalsOf(database, waiting.batchId);
  const isOpen = state === "awaiting_approval";
  return {
    people: waiting.peopleNeeded,
    why: waiting.peopleWhy,
    limit_people: waiting.limitPeople,
    given: waiting.given,
    missing: isOpen ? missingOf(waiting) : 0,
    able: [...waiting.able],
    blocked: isOpen ? whyNobody(waiting) : null,
    approvals: approvals.map((each) => ({
      user_id: each.userId,
      name: each.name,
      at: each.at.toISOString(),
      expires_at: each.expiresAt.toISOString(),
      withdrawn_at: iso(each.withdrawnAt),
      withdrawn_why: each.withdrawnWhy,
      live: each.live,
    })),
  };
}

/** The batch as one that may wait for this person; null: there is none. */
export async function waitingOf(
  { database }: Desk,
  batchId: string,
  person: Person | null,
): Promise<Waiting | null> {
  const userId = person?.kind === "user" ? person.id : null;
  const [waiting] = await waitingFor(database, userId, batchId);
  return waiting ?? null;
}

export const STILL_LOOKING =
  "Its rows are still being looked through for what is unusual. It can be approved once that is shown.";

/** Why this person may or may not approve the batch, in the order in which people can do something about it. */
export const mayApproveNow = (person: Person, waiting: Waiting, state: BatchState): AllowedOr =>
  allowedUnless(
    waiting.own && "You brought or edited this batch: somebody else approves it.",
    !person.permissions.has("approve") && "You are not an approver.",
    person.kind === "key" && "Approving needs a person.",
    state !== "awaiting_approval" && `It is not waiting: ${BATCH_STATES[state].means}.`,
    !waiting.submitted && "Its maker has not asked for approval yet.",
    waiting.approved && "You have approved it; others have to as well.",
  );

/** The totals of a batch per currency, with how many payouts they are. */
export function totalsOf(lanes: readonly { readonly rows: number; readonly total: Money }[]) {
  const byCurrency = Map.groupBy(lanes, ({ total }) => total.currency);
  return [...byCurrency.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const minor = same.reduce((sum, { total }) => sum + total.minor, 0n);
    const payouts = same.reduce((sum, { rows }) => sum + rows, 0);
    return { ...amountOf({ ...first.total, minor }), payouts };
  });
}

/** Of a batch in quarantine. */
export const mayRelease = (person: Person, causes: readonly unknown[]) =>
  allowedUnless(
    causes.length === 0 && "It is not in quarantine.",
    !person.permissions.has("operate") &&
      "An operator releases it, after a comparison with the gateway's records.",
    person.kind === "key" && "An API key cannot release it: a person does.",
  );
