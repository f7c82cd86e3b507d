import type { FastifyInstance } from "fastify";
import type { FailureFilter } from "#api/operations/failures.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import { iso } from "#views/approval/approval-state.ts";
import { tellAudit } from "#http/intake/account-access.ts";
import type { Desk } from "#views/deps.ts";
import { between } from "#http/payout/payouts.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import { takenUp } from "#http/operations/assignments.ts";
import {
  failedPayouts,
  type FailureGroup,
  failureGroups,
} from "#ledger/operations/failure-groups.ts";
import { ledgerTime } from "#ledger/operations/triage.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { type Cause, causeOf, FAILING, FAILING_STATES } from "#payout/causes.ts";

/**
 * Maximum number of failure groups to list, more than anybody reads. The file contains every
 * payout.
 */
const GROUPS_MAX = 500;

/**
 * Registers the routes for failures: payouts that need attention, grouped by the action that they
 * need.
 */
export function failureRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, sealer } = desk;

  route(app, desk, "GET /api/failures", async ({ query }) => {
    const { states, filter } = askedIn(query);
    const at = await ledgerTime(database);
    const groups = await failureGroups(database, sealer, states, filter);
    return {
      at: at.toISOString(),
      groups: groups.slice(0, GROUPS_MAX).map(shown),
      groups_total: groups.length,
      totals: totalsOf(groups),
      ...(await takenUp(desk, { groups, states, filter })),
    };
  });

  route(app, desk, "GET /api/failures/file", async ({ query, person, reply }) => {
    const { format, ...asked } = query;
    const { states, filter } = askedIn(asked);
    await tellAudit(desk, person, "download_failures", "payouts", { ...asked, format });
    const payouts = failedPayouts(database, sealer, states, filter);
    return sendFile(reply, "failures", format, recordsOf(payouts), ",");
  });
}

function askedIn({ batch, state, changed_from, changed_to, ...same }: FailureFilter) {
  const changed = between(changed_from, changed_to);
  return { states: state ?? FAILING_STATES, filter: { ...same, batchId: batch, changed } };
}

const shown = ({ state, reason, bank, sum, count, oldestAt, newestAt, example }: FailureGroup) => ({
  state,
  reason,
  bank,
  ...amountOf(sum),
  count,
  oldest_at: oldestAt.toISOString(),
  newest_at: newestAt.toISOString(),
  example,
  ...groupText(causeOf(state, reason)),
  next_actor: FAILING[state],
});

const groupText = ({ meaning, todo, again }: Cause) => ({
  meaning,
  next_step: todo,
  can_retry: again,
});

const totalsOf = (groups: readonly FailureGroup[]) =>
  [...Map.groupBy(groups, ({ state }) => state)].map(([state, some]) => ({
    state,
    count: some.reduce((total, { count }) => total + count, 0),
    sums: [...sumByCurrency(some.map(({ sum }) => sum)).values()].map(amountOf),
  }));

type Failed = ReturnType<typeof failedPayouts> extends AsyncIterable<infer Each> ? Each : never;

// biome-ignore format: the columns are the point
const COLUMNS: Readonly<Record<string, (payout: Failed, cause: Cause) => string | null>> = {
  transaction_code: ({ code }) => code,
  batch:            ({ batchId }) => batchId,
  line:             ({ line }) => String(line),
  state:            ({ state }) => state,
  reason:           ({ reason }) => reason,
  meaning:          (_, { meaning }) => meaning,
  next_step:        (_, { todo }) => todo,
  can_retry:        (_, { again }) => (again ? "yes, after correction, in a new file" : "no"),
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

async function* recordsOf(payouts: AsyncIterable<Failed>): AsyncGenerator<string[]> {
  yield Object.keys(COLUMNS);
  for await (const payout of payouts) {
    const cause = causeOf(payout.state, payout.reason);
    yield Object.values(COLUMNS).map((cell) => formulaSafe(cell(payout, cause) ?? ""));
  }
}
