import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { DepositView } from "#api/deposits.ts";
import {
  DEPOSIT_DETAIL_FIELDS,
  type DepositDetailField,
  type DepositDetails,
} from "#deposit/deposit.ts";
import { handInAccount, handInReference, type PayerRefusal } from "#flows/deposits/payer.ts";
import { requestDeposit } from "#flows/deposits/request.ts";
import { askDepositByHand } from "#flows/deposits/follow.ts";
import { cursorOf, readCursor } from "#http/cursor.ts";
import { listedDeposit } from "#http/deposit-view.ts";
import type { Desk } from "#http/desk.ts";
import type { Live } from "#http/live.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { noteDepositAsk } from "#ledger/deposit-story.ts";
import { listDeposits } from "#ledger/deposits.ts";
import type { Freeze } from "#ledger/ledger.ts";

const Place = z.tuple([z.number().int()]);

export function depositRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, sealer, clock, deposits } = desk;
  const look = (code: string) => live.look(`deposit:${code}`) as Promise<DepositView>;
  const changed = (code: string) => {
    live.forget(`deposit:${code}`);
    return look(code);
  };

  route(app, desk, "POST /api/deposits", async ({ body, person, request }) => {
    const { currency, amount, payment_code, reference } = body;
    const key = request.headers["idempotency-key"];
    const made = await requestDeposit(
      {
        currency,
        amount,
        details: detailsOf(body),
        paymentCode: payment_code ?? null,
        reference: reference ?? null,
        request: typeof key === "string" ? JSON.stringify([person.actor, key, body]) : null,
        actor: person.actor,
      },
      deposits,
    );
    if (made.ok) return changed(made.value);
    if (made.error.kind === "frozen") throw frozen(made.error.freeze);
    const places = made.error.faults.map(({ field, problem }) => ({
      place: `body.${field}`,
      message: problem,
    }));
    throw new Problem("deposit_refused", { places });
  });

  route(app, desk, "GET /api/deposits", async ({ query }) => {
    const { cursor, limit, state, user_id, gateway_number, created_from, created_to, ...same } =
      query;
    const after = cursor === undefined ? null : readCursor(cursor, Place)[0];
    const filter = {
      ...same,
      states: state,
      userId: user_id,
      gatewayNumber: gateway_number,
      from: created_from ? new Date(created_from) : undefined,
      until: created_to ? new Date(created_to) : undefined,
    };
    const page = await listDeposits(database, sealer, filter, { limit, after });
    return {
      items: page.items.map(listedDeposit),
      next: page.next === null ? null : cursorOf([page.next]),
    };
  });

  route(app, desk, "GET /api/deposits/:code", async ({ params }) => look(params.code));

  route(app, desk, "POST /api/deposits/:code/ask", async ({ params: { code }, person }) => {
    const by = { code, actor: person.actor, at: new Date(clock.nowMs()) };
    if (!(await noteDepositAsk(database, by))) throw new Problem("not_found");
    await askDepositByHand(code, deposits);
    return changed(code);
  });

  route(app, desk, "POST /api/deposits/:code/krw-account", async ({ params, body, person }) => {
    const { code } = params;
    const account = { bankCode: body.bank_code, accountNumber: body.account_number };
    const given = await handInAccount({ code, actor: person.actor, account }, deposits);
    if (!given.ok) throw refusal(given.error);
    return changed(code);
  });

  route(app, desk, "POST /api/deposits/:code/reference", async ({ params, body, person }) => {
    const { code } = params;
    const { reference } = body;
    const given = await handInReference({ code, actor: person.actor, reference }, deposits);
    if (!given.ok) throw refusal(given.error);
    return changed(code);
  });
}

const detailsOf = (body: Partial<Record<DepositDetailField, string | undefined>>): DepositDetails =>
  Object.fromEntries(
    DEPOSIT_DETAIL_FIELDS.flatMap((field) => (body[field] ? [[field, body[field]]] : [])),
  );

function refusal(refused: PayerRefusal): Problem {
  switch (refused.kind) {
    case "not_found":
      return new Problem("not_found");
    case "frozen":
      return frozen(refused.freeze);
    case "wrong_state":
      return new Problem("wrong_state", { detail: `It is ${refused.state}.` });
    case "not_taken":
      return new Problem(
        "not_taken",
        { detail: `The ${refused.problem}.` },
        { "retry-after": "5" },
      );
    case "refused":
      return new Problem("deposit_refused", { detail: `The ${refused.problem}.` });
  }
}

const frozen = ({ reason }: Freeze): Problem => new Problem("ledger_frozen", { detail: reason });
