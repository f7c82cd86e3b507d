import type { FastifyInstance } from "fastify";
import { unitsOf } from "#intake/amount-limits.ts";
import { whyNeeded } from "#approval/approval-policy.ts";
import { paidHere } from "#approval/limit-units.ts";
import { doAtOnce } from "#flows/people/second-admin.ts";
import type { Desk } from "#views/deps.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import {
  type Approvals,
  readApprovals,
  tryRules,
} from "#ledger/approval/policy/approval-policy.ts";

/** Adds the API routes for the rules that determine how many people must approve a batch. */
export function approvalRuleRoutes(app: FastifyInstance, desk: Desk): void {
  const { database } = desk;

  route(app, desk, "GET /api/approval-rules", async () => shown(await readApprovals(database)));

  route(app, desk, "PUT /api/approval-rules", async ({ body, person }) => {
    await refuseIdleRules(body.rules, desk);
    orRefuse(await doAtOnce({ kind: "approval_rules", ...body }, person, desk));
    return shown(await readApprovals(database));
  });

  route(app, desk, "POST /api/approval-rules/preview", async ({ body }) => {
    const tried = await tryRules(database, body);
    return {
      items: tried.map(({ id, fileName, now: people, by }) => ({
        batch_id: id,
        file: fileName,
        now: people,
        by_rules: by.people,
        why: whyNeeded(by),
      })),
    };
  });
}

/**
 * @throws Problem with the location of each rule for a currency that this installation does not
 * pay: the rule would never apply.
 */
export async function refuseIdleRules(
  rules: Approvals["rules"],
  { database, config }: Pick<Desk, "database" | "config">,
): Promise<void> {
  const units = unitsOf(config.CRYPTO_CURRENCIES);
  const before = (await readApprovals(database)).rules.map(({ currency }) => currency);
  const known = new Set([null, ...units.keys(), ...before]);
  const message = paidHere(units);
  const places = rules.flatMap(({ currency }, at) =>
    known.has(currency) ? [] : [{ place: `body.rules.${at}.currency`, message }],
  );
  if (places.length > 0) throw new Problem("invalid_request", { places });
}

const shown = ({ base, rules, hours, baseIsDefault }: Approvals) => ({
  base,
  rules: rules.map((rule) => ({ ...rule })),
  hours,
  base_is_default: baseIsDefault,
});
