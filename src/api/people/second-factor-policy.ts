import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { ROLE_NAMES } from "#people/roles.ts";

/** The roles that require a second factor. */
export const FactorPolicy = z.strictObject({
  roles: z.array(z.enum(ROLE_NAMES)).transform((roles) => [...new Set(roles)]),
});

export const SECOND_FACTOR_POLICY_API = {
  "GET /api/second-factor-policy": {
    permission: "administer",
    summary: "Lists the roles that require a second factor",
    answer: z.object({ roles: z.array(z.enum(ROLE_NAMES)) }),
  },
  "PUT /api/second-factor-policy": {
    permission: "administer",
    stepUp: true,
    summary:
      "Replaces the list of roles that require a second factor; removing a role from the list requires a second admin",
    body: FactorPolicy,
    answer: z.object({ roles: z.array(z.enum(ROLE_NAMES)) }),
  },
} as const satisfies Record<string, ApiOperation>;
