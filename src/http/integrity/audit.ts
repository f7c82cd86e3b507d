import { verdictOf } from "#views/integrity/audit-verdict.ts";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { FastifyInstance } from "fastify";
import { formulaSafe } from "#intake/text/formula.ts";
import type { Desk } from "#views/deps.ts";
import { route } from "#http/server/routes.ts";
import {
  allAuditLines,
  type AuditFilter,
  auditActions,
  auditLines,
  type ReadLine,
} from "#ledger/integrity/audit-lines.ts";

/** Adds the API routes for the audit log. */
export function auditRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock } = desk;

  route(app, desk, "GET /api/audit", async ({ query: { cursor, limit, ...filter } }) => {
    const before = cursor === undefined ? {} : { before: Number(cursor) };
    const lines = await auditLines(database, filter, { ...before, limit: limit + 1 });
    const items = lines.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(shown),
      next: lines.length > limit && last ? String(last.seq) : null,
    };
  });

  route(app, desk, "GET /api/audit/actions", async () => ({
    actions: await auditActions(database),
  }));

  route(app, desk, "GET /api/audit/verify", ({ query: { checkpoint: head } }) =>
    verdictOf(database, new Date(clock.nowMs()), head),
  );

  route(app, desk, "GET /api/audit.csv", async ({ query, reply }) => {
    const lines = stringify({ header: true });
    void pipeline(Readable.from(records(desk, query)), lines).catch(() => lines.destroy());
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="audit.csv"')
      .send(lines);
  });
}

const shown = ({ seq, actorName, ...line }: ReadLine) => ({
  ...line,
  number: seq,
  actor_name: actorName,
  facts: line.facts as Record<string, never>,
});

async function* records({ database }: Desk, filter: AuditFilter) {
  for await (const line of allAuditLines(database, filter)) {
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
