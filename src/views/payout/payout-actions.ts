import type { z } from "zod";
import type { PAYOUT_ACTION_API, PayoutActionView } from "#api/payout/payout-actions.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import {
  type ActionPayout,
  type LeftPayouts,
  listActionPayouts,
  type PayoutAction,
  type PayoutShare,
} from "#ledger/payout/action/actions.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";
import { amountOf } from "#money/format.ts";
import { LEFT_REASONS } from "#payout/action/payout-action.ts";

type Listed = AnswerOf<
  (typeof PAYOUT_ACTION_API)["GET /api/payout-actions/:id/payouts"]
>["items"][number];

/** Returns actions as the API shows them. */
export async function payoutActionViews(
  database: Database,
  actions: readonly PayoutAction[],
): Promise<z.output<typeof PayoutActionView>[]> {
  const nameOf = await findActorNames(
    database,
    actions.flatMap(({ createdBy, decidedBy, assignedTo, assignees }) => [
      createdBy,
      ...(decidedBy ? [decidedBy] : []),
      ...[assignedTo, ...(assignees ?? []).map(({ user }) => user)].flatMap((user) =>
        user === null ? [] : [`user:${user}`],
      ),
    ]),
  );
  const person = (actor: string) => ({ actor, name: nameOf(actor) });
  const user = (id: string | null) => (id === null ? null : person(`user:${id}`));
  return actions.map((action) => ({
    id: action.id,
    action: action.action,
    state: action.state,
    created_by: person(action.createdBy),
    created_at: action.createdAt.toISOString(),
    expires_at: action.expiresAt.toISOString(),
    selected: action.selected,
    qualifying: shareView(action.qualifying),
    not_qualifying: leftView(action.excluded),
    assignees:
      action.assignees?.map((each) => ({ user: user(each.user), count: each.count })) ?? null,
    assigned_to: user(action.assignedTo),
    reason: action.reason,
    applied_at: action.appliedAt?.toISOString() ?? null,
    decided_by: action.decidedBy === null ? null : person(action.decidedBy),
    decided_at: action.decidedAt?.toISOString() ?? null,
    rejection: action.decision,
    changed: action.changed && shareView(action.changed),
    left: action.left && leftView(action.left),
    digest: action.digest,
  }));
}

const shareView = ({ count, totals }: PayoutShare) => ({
  count,
  totals: totals.map((total) => ({ ...amountOf(total.sum), payouts: total.count })),
});

const leftView = (left: readonly LeftPayouts[]) =>
  left.map(({ reason, count }) => ({ reason, text: LEFT_REASONS[reason], count }));

/** Returns a selected payout as the API shows it. */
export const actionPayoutView = (payout: ActionPayout): Listed => ({
  code: payout.code,
  batch_id: payout.batchId,
  line: payout.line,
  ...amountOf(payout.money),
  state_before: payout.stateBefore,
  state: payout.state,
  outcome: payout.outcome,
  outcome_text: outcomeText(payout.outcome),
  evidence: payout.evidence,
});

function outcomeText(outcome: ActionPayout["outcome"]): string {
  if (outcome === "qualifies") return "The action applies to the payout.";
  return outcome === "changed" ? "The action changed the payout." : LEFT_REASONS[outcome];
}

const PAGE_ROWS = 1_000;

/** Generates the records of the file with the selected payouts, starting with the header. */
export async function* actionRecords(
  database: Database,
  id: string,
): AsyncGenerator<readonly string[]> {
  yield [
    "transaction_code",
    "batch_id",
    "line",
    "currency",
    "amount",
    "state_before",
    "state",
    "outcome",
    "outcome_text",
    "evidence",
  ];
  for (let after = 0; ; ) {
    const page = await listActionPayouts(database, { id, after, limit: PAGE_ROWS });
    for (const payout of page) {
      const shown = actionPayoutView(payout);
      yield [
        shown.code,
        shown.batch_id,
        String(shown.line),
        shown.currency,
        shown.amount,
        shown.state_before,
        shown.state,
        shown.outcome,
        shown.outcome_text,
        shown.evidence ?? "",
      ];
    }
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)?.payoutId ?? after;
  }
}
