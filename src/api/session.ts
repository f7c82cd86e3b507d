import { z } from "zod";
import { Timestamp } from "#api/shapes.ts";
import type { Operation } from "#api/operation.ts";
import { PERMISSIONS, ROLE_NAMES } from "#people/roles.ts";

const Session = z.object({
  /** Null: nobody is signed in. */
  person: z
    .object({
      kind: z.enum(["user", "key"]),
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      roles: z.array(z.enum(ROLE_NAMES)),
      permissions: z.array(z.enum(PERMISSIONS)),
      has_totp: z.boolean(),
      /** Until when operations that ask for a second proof are open. */
      stepped_up_until: Timestamp.nullable(),
    })
    .nullable(),
  /** To be sent back as `x-payrun-csrf` with everything that changes something. */
  csrf_token: z.string().nullable(),
  /** "simulated": no real money moves. */
  environment: z.enum(["live", "simulated"]),
  /** There is no user yet: the server has printed a link that makes the first one. */
  setup_needed: z.boolean(),
});

export const SESSION_API = {
  "GET /api/session": {
    may: "public",
    summary: "Who is signed in, and what they may do",
    answer: Session,
  },
  "GET /api/openapi.json": {
    may: "signed_in",
    summary: "This API, described in OpenAPI 3.1",
    answer: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies Record<string, Operation>;
