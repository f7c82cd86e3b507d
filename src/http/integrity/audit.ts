import { auditTotals } from "#views/integrity/audit-totals.ts";
import { auditVerdict } from "#views/integrity/audit-verdict.ts";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { FastifyInstance } from "fastify";
import { formulaSafe } from "#intake/text/formula.ts";
import type { ServerDeps } from "#views/deps.ts";
import { route } from "#http/server/routes.ts";
import {
  readAllAuditLines,
  type AuditFilter,
  findAuditActions,
  findAuditLines,
  type ReadableAuditLine,
} from "#ledger/integrity/audit-lines.ts";

/** Adds the API routes for the audit log. */
export function auditRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/audit", async ({ query: { cursor, limit, ...filter } }) => {
    const before = cursor === undefined ? {} : { before: Number(cursor) };
    const lines = await findAuditLines(database, filter, { ...before, limit: limit + 1 });
    const items = lines.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(shown),
      next: lines.length > limit && last ? String(last.seq) : null,
    };
  });

  route(app, deps, "GET /api/audit/actions", async () => ({
    actions: await findAuditActions(database),
  }));

  route(app, deps, "GET /api/audit/verify", ({ query: { checkpoint: head } }) =>
    auditVerdict(database, new Date(clock.nowMs()), head),
  );

  route(app, deps, "GET /api/audit.csv", async ({ query, reply }) => {
    const lines = stringify({ header: true });
    void pipeline(Readable.from(records(deps, query)), lines).catch(() => lines.destroy());
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="audit.csv"')
      .send(lines);
  });
}

const shown = ({ seq, actorName, ...line }: ReadableAuditLine) => ({
  ...line,
  number: seq,
  actor_name: actorName,
  facts: line.facts as Record<string, never>,
  totals: auditTotals(line.facts),
});

async function* records({ database }: ServerDeps, filter: AuditFilter) {
  for await (const line of readAllAuditLines(database, filter)) {
    const { seq, at, actor, actorName, action, object, facts, hash } = line;
    const texts = {
      actor,
      actor_name: actorName ?? "",
      action,
      object,
      facts: JSON.stringify(facts),
    };
    const safe = Object.entries(texts).map(([name, text]) => [name, formulaSafe(text)]);
    yield { number: seq, at, ...(Object.fromEntries(safe) as typeof texts), hash };
  }
}
