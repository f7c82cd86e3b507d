import type { FastifyInstance } from "fastify";
import {
  allowedBy,
  extraPeople,
  groupLimits,
  isRefused,
  LIMIT_SCOPES,
  sayBreach,
  sayRemedy,
} from "#batch/money-limits.ts";
import { doAtOnce } from "#flows/people/second-admin.ts";
import { amountOf } from "#http/approval-words.ts";
import type { Desk } from "#http/desk.ts";
import { orRefuse, Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { findBreaches, usedOf } from "#ledger/limit-use.ts";
import { type LimitTerms, readLimits } from "#ledger/money-limits.ts";
import type { Database } from "#ledger/database.ts";

export function moneyLimitRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock, ledger } = desk;
  const now = () => new Date(clock.nowMs());

  route(app, desk, "GET /api/money-limits", async () => shownTerms(await readLimits(database)));

  route(app, desk, "PUT /api/money-limits", async ({ body, person }) => {
    orRefuse(await doAtOnce({ kind: "money_limits", ...body }, person, desk));
    return shownTerms(await readLimits(database));
  });

  route(app, desk, "GET /api/money-limits/headroom", ({ person }) =>
    headroomOf(database, person.actor, now()),
  );

  route(app, desk, "GET /api/batches/:id/limits", async ({ params }) => {
    if (!(await ledger.findBatch({ id: params.id }))) throw new Problem("not_found");
    const breaches = await findBreaches(database, params.id, now());
    return {
      refused: isRefused(breaches),
      extra_people: extraPeople(breaches),
      passed: breaches.map((breach) => ({
        scope: breach.limit.scope,
        hard: breach.limit.hard,
        allowed: amountOf(breach.allowed),
        found: amountOf(breach.found),
        before: amountOf(breach.before),
        over: amountOf(breach.over),
        lines: [...breach.lines],
        says: sayBreach(breach),
        remedy: sayRemedy(breach),
      })),
    };
  });
}

const shownTerms = ({ limits, ...terms }: LimitTerms) => ({
  ...terms,
  limits: limits.map((limit) => ({ ...limit })),
});

/** What is left of each limit, as the server and the command line of its machine tell it. */
export async function headroomOf(database: Database, actor: string, at: Date) {
  const { limits, zone } = await readLimits(database);
  const items = [];
  for (const group of groupLimits(limits)) {
    const { scope, currency, minorDigits } = group;
    const isPerDay = scope === "day" || scope === "uploader_day";
    const person = scope === "uploader_day" ? actor : null;
    const used = isPerDay ? await usedOf(database, { ...group, zone, at, person }) : null;
    for (const limit of group.limits) {
      const rest = allowedBy(limit, minorDigits) - (used ?? 0n);
      const money = (minor: bigint) => amountOf({ currency, minor, minorDigits });
      items.push({
        ...limit,
        says: LIMIT_SCOPES[scope].what,
        used: used === null ? null : money(used),
        left: money(rest > 0n ? rest : 0n),
      });
    }
  }
  return { zone, items };
}
