import type { FastifyInstance } from "fastify";
import { queryForPerson } from "#flows/payout/query-by-hand.ts";
import { decidePayoutResolution, proposePayoutResolution } from "#flows/payout/resolve-payout.ts";
import { decideWaitEnding, proposeWaitEnding } from "#flows/payout/end-wait.ts";
import { z } from "zod";
import type { PayoutView } from "#api/payout/payouts.ts";
import { accountSearches, refuseAccountFilter } from "#http/payout/account-filter.ts";
import { filterOf } from "#http/payout/payout-filters.ts";
import { payoutActionRoutes } from "#http/payout/payout-actions.ts";
import { hasReference, payoutListRoutes } from "#http/payout/payout-list.ts";
import { cursorOf, isTimestampText, readCursor } from "#api/app/cursor.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import type { Person } from "#views/person.ts";
import { payoutEvidence } from "#views/payout/evidence.ts";
import { payoutListItem, detailsView } from "#views/payout/payout.ts";
import { sealAccount } from "#views/payout/sealed-account.ts";
import { searchDocument } from "#views/search/search.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { COUNT_MAX } from "#ledger/payout/search/count-payouts.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { recordAction, revealBeneficiary } from "#ledger/payout/search/payout-page.ts";

/** The ID of a payout, its last change as a PostgreSQL timestamp, and its amount. */
const Place = z.tuple([
  z.number().int(),
  z.string().max(40).refine(isTimestampText),
  z.string().regex(/^\d{1,38}(\.\d{1,38})?$/),
]);

/** Adds the API routes for payouts. */
export function payoutRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, sealer } = deps;
  onePayout(app, deps, live);
  payoutListRoutes(app, deps);
  payoutActionRoutes(app, deps, live);

  const noteSearch = accountSearches(deps);

  route(app, deps, "GET /api/payouts", async ({ query, person }) => {
    const { cursor, limit, sort, ...asked } = query;
    if (asked.account !== undefined) refuseAccountFilter(person);
    const after = cursor === undefined ? null : readCursor(cursor, Place);
    const page = await listPayouts(database, sealer, await filterOf(asked, deps), {
      sort,
      limit,
      after,
    });
    const { items, count } = asReferenceIsShown(page, asked.reference, person);
    return {
      items: items.map(payoutListItem),
      next: items.length > 0 ? page.next && cursorOf(page.next) : null,
      count,
      count_max: COUNT_MAX,
    };
  });

  route(app, deps, "POST /api/account-filters", async ({ body, person }) => {
    await noteSearch(person, body.account);
    return { account: sealAccount(sealer, body.account) };
  });

  route(app, deps, "POST /api/search", async ({ body, person }) => {
    const byAccount = async (account: string) => {
      if (!person.permissions.has("reveal")) return false;
      await noteSearch(person, account);
      return true;
    };
    return searchDocument(body.q, byAccount, deps);
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
  const shown = items.filter(hasReference(reference));
  return { items: shown, count: count === null ? null : shown.length };
}

/**
 * Registers the routes for actions on one payout. No action sends money: the answer of the
 * gateway decides whether a payout may be sent again.
 */
function onePayout(app: FastifyInstance, desk: ServerDeps, live: LiveDocuments): void {
  const { database, sealer, clock, deps } = desk;
  const look = (code: string) => live.documentOf(`payout:${code}`) as Promise<PayoutView>;
  const by = (code: string, { actor }: Person) => ({ code, actor, at: new Date(clock.nowMs()) });
  const changed = async (code: string) => {
    live.invalidate(`payout:${code}`);
    return look(code);
  };

  route(app, desk, "GET /api/payouts/:code", async ({ params }) => look(params.code));
  route(app, desk, "GET /api/payouts/:code/evidence", ({ params, person }) =>
    payoutEvidence(params.code, person, desk),
  );

  route(app, desk, "POST /api/payouts/:code/query", async ({ params: { code }, person }) => {
    const asked = await queryForPerson(by(code, person), deps, desk.ledger);
    if (asked.ok) return changed(code);
    throw asked.error === null
      ? new Problem("not_found")
      : new Problem("wrong_state", { detail: asked.error });
  });

  route(app, desk, "POST /api/payouts/:code/notes", async ({ params: { code }, body, person }) => {
    if (!(await recordAction(database, "note", by(code, person), body.text)))
      throw new Problem("not_found");
    return changed(code);
  });

  route(
    app,
    desk,
    "POST /api/payouts/:code/resolve",
    async ({ params: { code }, body, person }) => {
      orRefuse(await proposePayoutResolution({ code, actor: person.actor, finding: body }, desk));
      live.invalidate("home");
      return changed(code);
    },
  );

  route(app, desk, "POST /api/payouts/:code/resolution", async ({ params, body, person }) => {
    orRefuse(await decidePayoutResolution({ ...params, ...body, actor: person.actor }, desk));
    live.invalidate("home");
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/end-wait", async ({ params, body, person }) => {
    orRefuse(await proposeWaitEnding({ ...params, ...body, actor: person.actor }, desk));
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/wait-ending", async ({ params, body, person }) => {
    orRefuse(await decideWaitEnding({ ...params, ...body, actor: person.actor }, desk));
    return changed(params.code);
  });

  route(app, desk, "POST /api/payouts/:code/reveal", async ({ params: { code }, body, person }) => {
    const details = await revealBeneficiary(database, sealer, {
      ...by(code, person),
      reason: body.reason,
    });
    if (!details) throw new Problem("not_found");
    live.invalidate(`payout:${code}`);
    return { details: detailsView(details) };
  });
}
