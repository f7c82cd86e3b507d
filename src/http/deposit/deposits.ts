import type { FastifyInstance, FastifyRequest } from "fastify";
import type { DepositView } from "#api/deposit/deposits.ts";
import {
  answerWhatBecame,
  askDeposit,
  createDeposit,
  giveAccount,
  giveReference,
  pageOfDeposits,
  sayWhatBecame,
} from "#views/deposit/deposits.ts";
import { payUrlOf } from "#views/deposit/deposit.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";

/** Adds the API routes for deposits. */
export function depositRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { deposits } = desk;
  const payUrl = (code: string, { protocol, host }: FastifyRequest) => ({
    pay_url: payUrlOf(code, desk, `${protocol}://${host}`),
  });
  const look = (code: string) => live.look(`deposit:${code}`) as Promise<DepositView>;
  const changed = (code: string) => {
    live.forget(`deposit:${code}`);
    return look(code);
  };

  route(app, desk, "POST /api/deposits", async ({ body, person: { actor }, request }) => {
    const given = request.headers["idempotency-key"];
    const key = typeof given === "string" ? given : null;
    const code = await createDeposit(body, { actor, key }, deposits);
    return { ...(await changed(code)), ...payUrl(code, request) };
  });

  route(app, desk, "GET /api/deposits", async ({ query }) => pageOfDeposits(query, deposits));

  route(app, desk, "GET /api/deposits/:code", async ({ params }) => look(params.code));

  route(app, desk, "GET /api/deposits/:code/pay-url", async ({ params: { code }, request }) => {
    await look(code); // Throws if the deposit does not exist.
    return payUrl(code, request);
  });

  route(app, desk, "POST /api/deposits/:code/query", async ({ params: { code }, person }) => {
    await askDeposit({ code, actor: person.actor }, deposits);
    return changed(code);
  });

  route(app, desk, "POST /api/deposits/:code/krw-account", async ({ params, body, person }) => {
    await giveAccount({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, desk, "POST /api/deposits/:code/reference", async ({ params, body, person }) => {
    await giveReference({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, desk, "POST /api/deposits/:code/resolve", async ({ params, body, person }) => {
    await sayWhatBecame({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });

  route(app, desk, "POST /api/deposits/:code/resolution", async ({ params, body, person }) => {
    await answerWhatBecame({ code: params.code, actor: person.actor }, body, deposits);
    return changed(params.code);
  });
}
