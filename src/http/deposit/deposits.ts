import type { FastifyInstance, FastifyRequest } from "fastify";
import type { DepositView } from "#api/deposit/deposits.ts";
import {
  decideResolution,
  queryDeposit,
  createDeposit,
  providePayerAccount,
  providePayerReference,
  proposeResolution,
} from "#views/deposit/deposits.ts";
import { depositRecords, depositSummary, pageOfDeposits } from "#views/deposit/deposit-list.ts";
import { payUrlOf } from "#views/deposit/deposit.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { recordAccountView } from "#http/intake/account-access.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";

/** Adds the API routes for deposits. */
export function depositRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { deposits } = deps;
  const payUrl = (code: string, { protocol, host }: FastifyRequest) => ({
    pay_url: payUrlOf(code, deps, `${protocol}://${host}`),
  });
  const look = (code: string) => live.documentOf(`deposit:${code}`) as Promise<DepositView>;
  const changed = (code: string) => {
    live.invalidate(`deposit:${code}`);
    return look(code);
  };

  route(app, deps, "POST /api/deposits", async ({ body, person: { actor }, request }) => {
    const given = request.headers["idempotency-key"];
    const key = typeof given === "string" ? given : null;
    const code = await createDeposit(body, { actor, key }, deposits);
    return { ...(await changed(code)), ...payUrl(code, request) };
  });

  route(app, deps, "GET /api/deposits", async ({ query }) => pageOfDeposits(query, deps));

  route(app, deps, "GET /api/deposit-summary", ({ query }) => depositSummary(query, deps));

  route(app, deps, "GET /api/deposit-export", async ({ query, person, reply }) => {
    const { format, sort, ...asked } = query;
    const facts = { format, filters: Object.keys(asked) };
    await recordAccountView(deps, person, "download_deposits", "deposits", facts);
    return sendFile(reply, "deposits", format, depositRecords({ ...asked, sort }, deps), ",");
  });

  route(app, deps, "GET /api/deposits/:code", async ({ params }) => look(params.code));

  route(app, deps, "GET /api/deposits/:code/pay-url", async ({ params: { code }, request }) => {
    await look(code); // Throws if the deposit does not exist.
    return payUrl(code, request);
  });

  route(app, deps, "POST /api/deposits/:code/query", async ({ params: { code }, person }) => {
    await queryDeposit({ code, actor: person.actor }, deposits);
    return changed(code);
  });

  route(app, deps, "POST /api/deposits/:code/krw-account", async ({ params, body, person }) => {
    await providePayerAccount({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, deps, "POST /api/deposits/:code/reference", async ({ params, body, person }) => {
    await providePayerReference({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, deps, "POST /api/deposits/:code/resolve", async ({ params, body, person }) => {
    await proposeResolution({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, deps, "POST /api/deposits/:code/resolution", async ({ params, body, person }) => {
    await decideResolution({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });
}
