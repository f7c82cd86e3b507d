import type { FastifyInstance } from "fastify";
import type { FailureFilter } from "#api/operations/failures.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import { iso } from "#views/approval/approval-state.ts";
import { recordAccountView } from "#http/intake/account-access.ts";
import type { ServerDeps } from "#views/deps.ts";
import { between } from "#http/payout/payout-filters.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import { assignmentsDocument, listedPayouts } from "#http/operations/assigned-failures.ts";
import {
  findFailedPayouts,
  type FailureGroup,
  findFailureGroups,
} from "#ledger/operations/failure-groups.ts";
import { findLedgerTime } from "#ledger/operations/failure-assignments.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import {
  type FailureExplanation,
  explainFailure,
  explainRetried,
  FAILING,
  FAILING_STATES,
} from "#payout/failure-explanations.ts";
import type { RetryRule } from "#payout/retry-rule.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";

/**
 * Maximum number of failure groups to list, more than anybody reads. The file contains every
 * payout.
 */
const GROUPS_MAX = 500;

/**
 * Registers the routes for failures: payouts that need attention, grouped by the action that they
 * need.
 */
export function failureRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer } = deps;

  route(app, deps, "GET /api/failures", async ({ query }) => {
    const { states, filter } = filterOf(query);
    const at = await findLedgerTime(database);
    const groups = await findFailureGroups(database, sealer, states, filter);
    return {
      at: at.toISOString(),
      groups: await shownGroups(deps, groups.slice(0, GROUPS_MAX)),
      groups_total: groups.length,
      totals: totalsOf(groups),
      ...(await assignmentsDocument(deps, { groups, states, filter })),
    };
  });

  route(app, deps, "GET /api/failures/file", async ({ query, person, reply }) => {
    const { format, whose, snoozed, ...asked } = query;
    const { states, filter } = filterOf(asked);
    await recordAccountView(deps, person, "download_failures", "payouts", query);
    const isListed = await listedPayouts(deps, { states, filter, whose, snoozed, me: person.id });
    const payouts = findFailedPayouts(database, sealer, states, filter);
    return sendFile(reply, "failures", format, recordsOf(payouts, isListed), ",");
  });
}

function filterOf({ batch, state, changed_from, changed_to, ...same }: FailureFilter) {
  const changed = between(changed_from, changed_to);
  return { states: state ?? FAILING_STATES, filter: { ...same, batchId: batch, changed } };
}

/** Returns the groups as the API lists them, with uploaders and the status of retry batches. */
async function shownGroups({ database }: ServerDeps, groups: readonly FailureGroup[]) {
  const ids = new Set(groups.flatMap((group) => group.retryBatches.map(({ batchId }) => batchId)));
  const makers = new Set(groups.flatMap(({ batches }) => batches.map(({ maker }) => maker)));
  const [statusOf, nameOf] = await Promise.all([
    findBatchStatuses(database, [...ids]),
    findActorNames(database, [...makers]),
  ]);
  return groups.map((group) => ({
    ...shown(group),
    batches: group.batches.map(({ batchId, name, maker, count }) => ({
      batch_id: batchId,
      name,
      uploaded_by_name: nameOf(maker),
      count,
    })),
    retry_batches: group.retryBatches.map(({ batchId, name, state, count }) => ({
      batch_id: batchId,
      name,
      state,
      ...statusOf(batchId),
      count,
    })),
  }));
}

const shown = ({
  state,
  reason,
  bank,
  sum,
  count,
  oldestAt,
  newestAt,
  ...group
}: FailureGroup) => ({
  state,
  reason,
  bank,
  ...amountOf(sum),
  count,
  oldest_at: oldestAt.toISOString(),
  newest_at: newestAt.toISOString(),
  example: group.example,
  ...groupText(
    group.retryBatches.reduce((total, batch) => total + batch.count, 0) < count
      ? explainFailure(state, reason)
      : explainRetried(state, reason),
  ),
  next_actor: FAILING[state],
});

const groupText = ({ meaning, todo, retry }: FailureExplanation) => ({
  meaning,
  next_step: todo,
  can_retry: retry !== null,
  retry,
});

const totalsOf = (groups: readonly FailureGroup[]) =>
  [...Map.groupBy(groups, ({ state }) => state)].map(([state, some]) => ({
    state,
    count: some.reduce((total, { count }) => total + count, 0),
    sums: [...sumByCurrency(some.map(({ sum }) => sum)).values()].map(amountOf),
  }));

type Failed = ReturnType<typeof findFailedPayouts> extends AsyncIterable<infer Each> ? Each : never;

// biome-ignore format: the columns are the point
const CAN_RETRY: Readonly<Record<RetryRule | "no", string>> = {
  new_details: "yes, with new details",
  decision:    "yes, with new details, or unchanged with a reason",
  no:          "no",
};

// biome-ignore format: the columns are the point
const COLUMNS: Readonly<Record<string, (payout: Failed, cause: FailureExplanation) => string | null>> = {
  transaction_code: ({ code }) => code,
  batch:            ({ batchId }) => batchId,
  line:             ({ line }) => String(line),
  state:            ({ state }) => state,
  reason:           ({ reason }) => reason,
  meaning:          (_, { meaning }) => meaning,
  next_step:        (_, { todo }) => todo,
  can_retry:        (_, { retry }) => CAN_RETRY[retry ?? "no"],
  retried_in:       ({ retriedIn }) => retriedIn,
  currency:         ({ money }) => money.currency,
  amount:           ({ money }) => formatMoney(money),
  beneficiary:      ({ beneficiary }) => beneficiary,
  bank:             ({ bank }) => bank,
  account_ends_in:  ({ accountLast4 }) => accountLast4,
  reference:        ({ reference }) => reference,
  gateway_number:   ({ gatewayNumber }) => gatewayNumber,
  sent_at:          ({ sentAt }) => iso(sentAt),
  changed_at:       ({ updatedAt }) => updatedAt.toISOString(),
};

async function* recordsOf(
  payouts: AsyncIterable<Failed>,
  isListed: (payout: Failed) => boolean,
): AsyncGenerator<string[]> {
  yield Object.keys(COLUMNS);
  for await (const payout of payouts) {
    if (!isListed(payout)) continue;
    const explain = payout.retriedIn === null ? explainFailure : explainRetried;
    const cause = explain(payout.state, payout.reason);
    yield Object.values(COLUMNS).map((cell) => formulaSafe(cell(payout, cause) ?? ""));
  }
}
