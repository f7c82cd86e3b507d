import type { FastifyInstance } from "fastify";
import { askForPerson } from "#flows/payout/query-by-hand.ts";
import { answerPayoutClosing, proposePayoutClosing } from "#flows/payout/resolve-payout.ts";
import { answerEndWait, proposeEndWait } from "#flows/payout/end-wait.ts";
import { z } from "zod";
import type { PayoutFilter as Asked, PayoutView } from "#api/payout/payouts.ts";
import {
  accountSearches,
  openAccount,
  refuseAccountFilter,
  sealAccount,
} from "#http/payout/account-filter.ts";
import { cursorOf, isTimestampText, readCursor } from "#api/app/cursor.ts";
import { listedDeposit } from "#views/deposit/deposit.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import type { Person } from "#views/person.ts";
import { listed, shownDetails } from "#views/payout/payout.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { sendView } from "#views/schedule/send-view.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import { COUNT_MAX, listPayouts } from "#ledger/payout/search/payouts.ts";
import { noteOn, reveal } from "#ledger/payout/search/payout-page.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { search } from "#ledger/payout/search/search.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";

/** The ID of a payout and its last change, as a PostgreSQL timestamp. */
const Place = z.tuple([z.number().int(), z.string().max(40).refine(isTimestampText)]);

/** Adds the API routes for payouts. */
export function payoutRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, sealer } = desk;
  onePayout(app, desk, live);

  const noteSearch = accountSearches(desk);

  route(app, desk, "GET /api/payouts", async ({ query, person }) => {
    const { cursor, limit, sort, ...asked } = query;
    if (asked.account !== undefined) refuseAccountFilter(person);
    const after = cursor === undefined ? null : readCursor(cursor, Place);
    const page = await listPayouts(database, sealer, filterOf(asked, sealer), {
      sort,
      limit,
      after,
    });
    const { items, count } = asReferenceIsShown(page, asked.reference, person);
    return {
      items: items.map(listed),
      next: items.length > 0 ? page.next && cursorOf(page.next) : null,
      count,
      count_max: COUNT_MAX,
    };
  });

  route(app, desk, "POST /api/account-filters", async ({ body, person }) => {
    await noteSearch(person, body.account);
    return { account: sealAccount(sealer, body.account) };
  });

  route(app, desk, "POST /api/search", async ({ body, person }) => {
    const byAccount = async (account: string) => {
      if (!person.permissions.has("reveal")) return false;
      await noteSearch(person, account);
      return true;
    };
    const found = await search(database, sealer, body.q, byAccount);
    const { payouts, batches, deposits, exact, understood } = found;
    const sendings = await sendingsOf(
      database,
      batches.map(({ id }) => id),
    );
    return {
      payouts: payouts.map(listed),
      batches: batches.map(({ fileName, ...batch }) => ({
        ...batch,
        file_name: fileName,
        send: sendView(sendings.get(batch.id)),
      })),
      deposits: deposits.map(listedDeposit),
      exact,
      understood: [...understood],
      accounts_left_out: found.accountsLeftOut,
    };
  });
}

/**
 * A reference that contains the account of its payout is masked in the list. A user who sees it
 * masked cannot search by it, because they could try numbers until one matches.
 */
function asReferenceIsShown(
  { items, count }: Pick<Awaited<ReturnType<typeof listPayouts>>, "items" | "count">,
  reference: string | undefined,
  person: Person,
) {
  if (reference === undefined || person.permissions.has("reveal")) return { items, count };
  const plain = (text: string | null): string => (text ?? "").trim().toLowerCase();
  const shown = items.filter((each) => plain(each.reference) === plain(reference));
  return { items: shown, count: count === null ? null : shown.length };
}

/**
 * Registers the routes for actions on one payout. No action sends money: the answer of the
 * gateway decides whether a payout may be sent again.
 */
function onePayout(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, sealer, clock, deps } = desk;
  const look = (code: string) => live.look(`payout:${code}`) as Promise<PayoutView>;
  const by = (code: string, { actor }: Person) => ({ code, actor, at: new Date(clock.nowMs()) });
  const changed = async (code: string) => {
    live.forget(`payout:${code}`);
    return look(code);
  };

  route(app, desk, "GET /api/payouts/:code", async ({ params }) => look(params.code));

  route(app, desk, "POST /api/payouts/:code/query", async ({ params: { code }, person }) => {
    const asked = await askForPerson(by(code, person), deps, database);
    if (asked.ok) return changed(code);
    throw asked.error === null
      ? new Problem("not_found")
      : new Problem("wrong_state", { detail: asked.error });
  });

  route(app, desk, "POST /api/payouts/:code/notes", async ({ params: { code }, body, person }) => {
    if (!(await noteOn(database, "note", by(code, person), body.text)))
      throw new Problem("not_found");
    return changed(code);
  });

  route(
    app,
    desk,
    "POST /api/payouts/:code/resolve",
    async ({ params: { code }, body, person }) => {
      orRefuse(await proposePayoutClosing({ code, actor: person.actor, finding: body }, desk));
      live.forget("home");
      return changed(code);
    },
  );

  route(app, desk, "POST /api/payouts/:code/resolution", async ({ params, body, person }) => {
    orRefuse(await answerPayoutClosing({ ...params, ...body, actor: person.actor }, desk));
    live.forget("home");
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/end-wait", async ({ params, body, person }) => {
    orRefuse(await proposeEndWait({ ...params, ...body, actor: person.actor }, desk));
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/wait-ending", async ({ params, body, person }) => {
    orRefuse(await answerEndWait({ ...params, ...body, actor: person.actor }, desk));
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/reveal", async ({ params: { code }, body, person }) => {
    const details = await reveal(database, sealer, { ...by(code, person), reason: body.reason });
    if (!details) throw new Problem("not_found");
    live.forget(`payout:${code}`);
    return { details: shownDetails(details) };
  });
}

function filterOf(asked: Asked, sealer: Sealer): PayoutFilter {
  if (asked.line !== undefined && asked.batch === undefined) {
    const places = [{ place: "query.line", message: "requires the batch filter" }];
    throw new Problem("invalid_request", { places });
  }
  const { batch, state, amount, account, account_last4, gateway_number, ...same } = asked;
  return {
    ...same,
    batchId: batch,
    states: state,
    account: account === undefined ? undefined : openAccount(sealer, account),
    amountFrom: amount ?? asked.amount_from,
    amountTo: amount ?? asked.amount_to,
    accountLast4: account_last4,
    gatewayNumber: gateway_number,
    created: between(asked.created_from, asked.created_to),
    sent: between(asked.sent_from, asked.sent_to),
    changed: between(asked.changed_from, asked.changed_to),
  };
}

/** Returns the limits of a period filter. Undefined: not filtered. */
export const between = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined
    ? undefined
    : { from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
