import { auditTotals } from "#views/integrity/audit-totals.ts";
import { auditVerdict } from "#views/integrity/audit-verdict.ts";
import type { FastifyInstance } from "fastify";
import { formulaSafe } from "#intake/text/formula.ts";
import type { ServerDeps } from "#views/deps.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
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

  route(app, deps, "GET /api/audit-export", ({ query: { format, ...filter }, reply }) =>
    sendFile(reply, "audit", format, records(deps, filter), ","),
  );
}

const shown = ({ seq, actorName, ...line }: ReadableAuditLine) => ({
  ...line,
  number: seq,
  actor_name: actorName,
  facts: line.facts as Record<string, never>,
  totals: auditTotals(line.facts),
});

/** The columns of the file, with their values. */
const COLUMNS: Readonly<Record<string, (line: ReadableAuditLine) => string>> = {
  number: ({ seq }) => String(seq),
  at: ({ at }) => at,
  actor: ({ actor }) => actor,
  actor_name: ({ actorName }) => actorName ?? "",
  action: ({ action }) => action,
  object: ({ object }) => object,
  facts: ({ facts }) => JSON.stringify(facts),
  hash: ({ hash }) => hash,
};

async function* records({ database }: ServerDeps, filter: AuditFilter) {
  yield Object.keys(COLUMNS);
  for await (const line of readAllAuditLines(database, filter)) {
    yield Object.values(COLUMNS).map((value) => formulaSafe(value(line)));
  }
}
