import type { FastifyInstance, FastifyReply } from "fastify";
import { Problem } from "#api/app/problems.ts";
import { maySeeAccounts, recordAccountView } from "#http/intake/account-access.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { parseAuditPosition } from "#integrity/audit-checkpoint.ts";
import type { LogRoot } from "#integrity/evidence-pack/manifest.ts";
import { findBatchId } from "#ledger/integrity/export/pack-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { buildPack } from "#views/integrity/evidence-pack/build.ts";
import type { Person } from "#views/person.ts";

type Deps = RouteDeps & Pick<ServerDeps, "database" | "sealer" | "clock">;

/** Packs that one process builds at once: each holds a connection and reads the whole audit log. */
const BUILT_AT_ONCE = 2;

const NOT_FULL =
  "You may not see full account numbers of this batch. Request a masked pack (accounts=masked).";

/** Registers the routes for evidence packs. */
export function evidencePackRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, sealer } = deps;
  const quota = { free: BUILT_AT_ONCE };

  route(app, deps, "GET /api/payouts/:code/evidence-pack", async (call) => {
    const { code } = call.params;
    const batchId = await findBatchId(database, code);
    if (batchId === null) throw new Problem("not_found", { detail: `There is no payout ${code}.` });
    return sendPack(call, { batchId, code }, { ...deps, quota });
  });

  route(app, deps, "GET /api/batches/:id/evidence-pack", async (call) =>
    sendPack(call, { batchId: call.params.id, code: null }, { ...deps, quota }),
  );

  route(app, deps, "GET /api/evidence-keys", async () => ({
    keys: sealer.publicKeys().toReversed(),
  }));
}

interface Call {
  readonly person: Person;
  readonly query: {
    readonly accounts?: "masked" | "in_full" | undefined;
    readonly checkpoint?: string | undefined;
  };
  readonly reply: FastifyReply;
}

/** Creates the pack, records it on the audit log, and sends it. */
async function sendPack(
  { person, query, reply }: Call,
  { batchId, code }: { readonly batchId: string; readonly code: string | null },
  deps: Deps & { readonly quota: { free: number } },
): Promise<FastifyReply> {
  const batch = await findBatchOrThrow(deps, batchId);
  const maySee = await maySeeAccounts(deps, person, batch);
  if (query.accounts === "in_full" && !maySee) throw new Problem("forbidden", { detail: NOT_FULL });
  const isFull = query.accounts === "in_full";
  const checkpoint = rootOf(query.checkpoint);
  const order = { batchId, code, isFull, person, checkpoint };
  const { file, manifest } = await withinQuota(deps.quota, () => buildPack(order, deps));
  try {
    const { line, root } = manifest.log;
    const facts = {
      accounts: isFull ? "in full" : "masked",
      archive: manifest.archive.sha256,
      log: `${line}:${root}`,
      key: manifest.key,
    };
    const action = code === null ? "download_batch_evidence" : "download_payout_evidence";
    await recordAccountView(deps, person, action, code ?? batchId, facts);
    const name = `${code ?? batchId}-evidence.zip`;
    return reply
      .type("application/zip")
      .header("content-length", (await file.stat()).size)
      .header("content-disposition", `attachment; filename="${name}"`)
      .send(file.createReadStream({ start: 0 }));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @throws Problem if all allowed packs are being built. */
async function withinQuota<T>(quota: { free: number }, build: () => Promise<T>): Promise<T> {
  if (quota.free === 0) throw new Problem("too_many_requests", {}, { "retry-after": "10" });
  quota.free -= 1;
  try {
    return await build();
  } finally {
    quota.free += 1;
  }
}

function rootOf(text: string | undefined): LogRoot | null {
  const position = text === undefined ? null : parseAuditPosition(text);
  return position && { line: position.line, root: position.hash };
}
