import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { PayoutFilter as Asked } from "#api/payouts.ts";
import { cursorOf, readCursor } from "#http/cursor.ts";
import type { Desk } from "#http/desk.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import type { PayoutFilter } from "#ledger/payout-filter.ts";
import { COUNT_MAX, type ListedPayout, listPayouts } from "#ledger/payouts.ts";
import { search } from "#ledger/search.ts";
import { formatMoney } from "#money/format.ts";

/** The id, and when it changed in the very text of the database. */
const Place = z.tuple([z.number().int(), z.string().max(40)]);

export function payoutRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, sealer } = desk;

  route(app, desk, "GET /api/payouts", async ({ query }) => {
    const { cursor, limit, sort, ...asked } = query;
    const after = cursor === undefined ? null : readCursor(cursor, Place);
    const page = await listPayouts(database, sealer, filterOf(asked), { sort, limit, after });
    return {
      items: page.items.map(shown),
      next: page.next && cursorOf(page.next),
      count: page.count,
      count_max: COUNT_MAX,
    };
  });

  route(app, desk, "GET /api/search", async ({ query }) => {
    const { payouts, batches, exact, understood } = await search(database, sealer, query.q);
    return {
      payouts: payouts.map(shown),
      batches: batches.map(({ fileName, ...batch }) => ({ ...batch, file_name: fileName })),
      exact,
      understood: [...understood],
    };
  });
}

function filterOf(asked: Asked): PayoutFilter {
  if (asked.line !== undefined && asked.batch === undefined) {
    const places = [{ place: "query.line", message: "needs the batch that it is a line of" }];
    throw new Problem("invalid_request", { places });
  }
  const { batch, state, amount, account_last4, gateway_number, ...same } = asked;
  return {
    ...same,
    batchId: batch,
    states: state,
    amountFrom: amount ?? asked.amount_from,
    amountTo: amount ?? asked.amount_to,
    accountLast4: account_last4,
    gatewayNumber: gateway_number,
    created: between(asked.created_from, asked.created_to),
    sent: between(asked.sent_from, asked.sent_to),
    changed: between(asked.changed_from, asked.changed_to),
  };
}

const between = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined
    ? undefined
    : { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };

const shown = (payout: ListedPayout) => ({
  code: payout.code,
  batch_id: payout.batchId,
  line: payout.line,
  state: payout.state,
  reason: payout.reason,
  currency: payout.money.currency,
  amount: formatMoney(payout.money),
  beneficiary: payout.beneficiary,
  account_last4: payout.accountLast4,
  bank: payout.bank,
  reference: payout.reference,
  gateway_number: payout.gatewayNumber,
  attempts: payout.attempts,
  sent_at: payout.sentAt?.toISOString() ?? null,
  updated_at: payout.updatedAt.toISOString(),
});
