import type { FastifyInstance } from "fastify";
import { unitsOf } from "#intake/amount-limits.ts";
import { whyPeopleNeeded } from "#approval/approval-policy.ts";
import { configuredCurrenciesText } from "#approval/limit-units.ts";
import { applyNow } from "#flows/people/second-admin.ts";
import type { ServerDeps } from "#views/deps.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import {
  type StoredApprovalPolicy,
  readApprovalPolicy,
  previewRules,
} from "#ledger/approval/policy/approval-policy.ts";

/** Adds the API routes for the rules that determine how many people must approve a batch. */
export function approvalRuleRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;

  route(app, deps, "GET /api/approval-rules", async () =>
    shown(await readApprovalPolicy(database)),
  );

  route(app, deps, "PUT /api/approval-rules", async ({ body, person }) => {
    await refuseUnusedRules(body.rules, deps);
    orRefuse(await applyNow({ kind: "approval_rules", ...body }, person, deps));
    return shown(await readApprovalPolicy(database));
  });

  route(app, deps, "POST /api/approval-rules/preview", async ({ body }) => {
    const tried = await previewRules(database, body);
    return {
      items: tried.map(({ id, fileName, now: people, by }) => ({
        batch_id: id,
        file: fileName,
        now: people,
        by_rules: by.people,
        why: whyPeopleNeeded(by),
      })),
    };
  });
}

/**
 * @throws Problem with the location of each rule for a currency that this installation does not
 * pay: the rule would never apply.
 */
export async function refuseUnusedRules(
  rules: StoredApprovalPolicy["rules"],
  { database, config }: Pick<ServerDeps, "database" | "config">,
): Promise<void> {
  const units = unitsOf(config.CRYPTO_CURRENCIES);
  const before = (await readApprovalPolicy(database)).rules.map(({ currency }) => currency);
  const known = new Set([null, ...units.keys(), ...before]);
  const message = configuredCurrenciesText(units);
  const places = rules.flatMap(({ currency }, at) =>
    known.has(currency) ? [] : [{ place: `body.rules.${at}.currency`, message }],
  );
  if (places.length > 0) throw new Problem("invalid_request", { places });
}

const shown = ({ base, rules, hours, baseIsDefault }: StoredApprovalPolicy) => ({
  base,
  rules: rules.map((rule) => ({ ...rule })),
  hours,
  base_is_default: baseIsDefault,
});
