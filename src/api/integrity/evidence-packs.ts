import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { AUDIT_POSITION_FORM } from "#integrity/audit-checkpoint.ts";

const query = z.strictObject({
  /** How beneficiaries are shown. Default: masked. */
  accounts: z.enum(["masked", "in_full"]).optional(),
  /** A published root of the audit log such as "48211:9f3c…", which the pack must lead to. */
  checkpoint: z
    .string()
    .trim()
    .regex(AUDIT_POSITION_FORM, "a line number and the root of the log, such as 48211:9f3c…")
    .optional(),
});

export const EVIDENCE_PACK_API = {
  "GET /api/payouts/:code/evidence-pack": {
    permission: "read",
    summary: "Downloads a signed ZIP archive of what payrun recorded about a payout",
    params: z.object({ code: z.string().trim().min(1).max(64) }),
    query,
    answer: "file",
  },
  "GET /api/batches/:id/evidence-pack": {
    permission: "read",
    summary: "Downloads a signed ZIP archive of what payrun recorded about a batch",
    params: z.object({ id: z.string().trim().min(1).max(64) }),
    query,
    answer: "file",
  },
  "GET /api/evidence-keys": {
    permission: "read",
    summary: "Returns the public keys with which anyone can verify evidence packs",
    answer: z.object({
      /** Ed25519 public keys in hexadecimal, newest first. The first one signs. */
      keys: z.array(z.string()),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
