import { shownIn } from "#views/row-problem.ts";
import type { FastifyInstance } from "fastify";
import { coverCells, coverProblem } from "#intake/masking.ts";
import { knownColumn } from "#intake/header.ts";
import { isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Problem as RowProblem } from "#intake/text/problems.ts";
import { correct } from "#flows/intake/correct.ts";
import { bringAgain, NOTHING_TO_SAY, obstaclesOf } from "#flows/approval/request-approval.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { batchLines, lineOf } from "#http/intake/batch-lines.ts";
import { expectedOf, requestApprovalRoute, wrongState } from "#http/intake/request-approval.ts";
import { notFound } from "#views/intake/batch.ts";
import type { Desk } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import type { Live } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { lookAhead } from "#views/approval/anomalies.ts";
import { appendAudit } from "#ledger/integrity/audit-chain.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { findingsOf, heldAsNumbers, rowsWithFindings } from "#ledger/intake/batch-findings.ts";
import { findBatchLines } from "#ledger/operations/batch-list.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { correctionsOf } from "#ledger/intake/correct.ts";
import { standsBehind } from "#ledger/people/names.ts";
import { noteBringer, readDescription } from "#ledger/intake/batch-description.ts";

const DAY_MS = 86_400_000;
const DAY_LENGTH = "2026-12-31".length;

/**
 * Registers the routes for files: uploads, problems, corrections, and sending a batch for approval.
 */
export function batchRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, sealer, ledger, rows, deps, clock } = desk;
  const { keyring } = deps;
  const now = () => new Date(clock.nowMs());

  route(app, desk, "GET /api/batches", async ({ query }) => {
    const { cursor, limit, state, send, text, maker, from, to } = query;
    const lines = await findBatchLines(database, {
      states: state,
      send,
      text,
      maker,
      from: from === undefined ? undefined : new Date(from),
      until: to === undefined ? undefined : endOf(to),
      after: cursor === undefined ? undefined : readCursor(cursor),
      limit: limit + 1,
    });
    const items = lines.slice(0, limit);
    const last = lines.length > limit ? items.at(-1) : undefined;
    return {
      items: await batchLines(database, items),
      next: last ? `${last.createdAt.getTime()}.${last.id}` : null,
    };
  });

  route(app, desk, "POST /api/batches", async ({ query, file, person }) => {
    const { file_name: fileName, name = null, purpose = null } = query;
    const { digest, open } = file;
    const expected = expectedOf(query.expect_rows, query.expect_sum);
    const described = { name, purpose, expected };
    const { canary, priority } = query;
    const upload = {
      fileName,
      open,
      digest,
      actor: person.actor,
      described,
      ...(canary !== undefined && { canary }),
      ...(priority && { priority }),
    };
    const taken = await ingest(upload, { ledger, keyring, rows });
    if (!taken.ok) throw refusedFile(taken.error);
    const { batch, isNew } = taken.value;
    const { actor } = person;
    const again = { ...described, batchId: batch.id, actor, canary, priority, at: now() };
    const { differences, kept } = isNew ? NOTHING_TO_SAY : await bringAgain(again, database);
    if (differences.length > 0)
      throw new Problem("totals_differ", { detail: differences.join(" ") });
    return { batch: await lineOf(database, batch.id), is_new: isNew, ignored_options: [...kept] };
  });

  route(app, desk, "GET /api/batches/:id/findings", async ({ params }) => {
    const batch = await found(desk, params.id);
    const findings = await findingsOf(database, sealer, batch.id);
    // Accounts are masked for every user: a person who corrects a row views the full row, and that
    // view is recorded on the audit log.
    const shown = shownIn(false);
    const { header, encoding, delimiter, notes } = batch.facts;
    const { expected } = await readDescription(database, batch.id);
    const mayChange = isBeforeApproval(batch.state);
    return {
      batch: await lineOf(database, batch.id),
      file: {
        encoding,
        delimiter,
        columns: header.map((name) => ({ name, column: knownColumn(name) ?? null })),
        notes: notes.map(shown),
      },
      expected: {
        rows: expected.rows,
        sums: Object.entries(expected.sums).map(([currency, amount]) => ({ currency, amount })),
      },
      numbers: mayChange ? await heldAsNumbers(database, batch.id) : [],
      obstacles: mayChange ? await obstaclesOf(database, batch, false) : [],
      findings: findings.map(({ count, lines, sentence, example }) => ({
        count,
        lines: [...lines],
        sentence,
        example: shown(example),
      })),
      corrections: await correctionsOf(database, batch.id),
    };
  });

  route(app, desk, "GET /api/batches/:id/rows", async ({ params, query, person }) => {
    const batch = await found(desk, params.id);
    const { limit, ...which } = query;
    const wanted = { ...which, limit: limit + 1 };
    const lines = await rowsWithFindings(database, sealer, batch.id, wanted);
    const items = lines.slice(0, limit);
    const { header } = batch.facts;
    const isFull = await maySeeAccounts(desk, person, batch);
    const shown = shownIn(isFull);
    if (isFull && items.length > 0) {
      const facts = { first: items[0]?.line, last: items.at(-1)?.line };
      await tellAudit(desk, person, "view_rows", batch.id, facts);
    }
    const last = lines.length > limit ? items.at(-1) : undefined;
    return {
      columns: [...header],
      items: items.map(({ line, isRejected, cells, problems }) => ({
        line,
        rejected: isRejected,
        cells: isFull ? [...cells] : coverCells(header, cells, isRejected),
        problems: problems.map(shown),
      })),
      next: last ? String(last.line) : null,
    };
  });

  route(app, desk, "POST /api/batches/:id/corrections", async ({ params, query, file, person }) => {
    const { digest, open } = file;
    const upload = { fileName: query.file_name, open, digest, actor: person.actor };
    const settings = { ledger, database, sealer, keyring, rows, at: now() };
    const corrected = await correct(params.id, upload, settings);
    if (!corrected.ok) throw refusedFile(corrected.error);
    const { value } = corrected;
    switch (value.kind) {
      case "not_found":
        throw notFound(params.id);
      case "wrong_state":
        throw wrongState(value.state);
      case "other_batch":
        throw new Problem("other_batch", {
          detail: `This file belongs to batch ${value.batchId}.`,
          batch_id: value.batchId,
        });
      case "known":
      case "corrected": {
        live.forget(`batch:${params.id}`);
        const isNew = value.kind === "corrected";
        const { actor } = person;
        if (!isNew) await noteBringer(database, { batchId: params.id, actor, at: now() });
        const { rows: read, corrected } = isNew ? value : { rows: 0, corrected: 0 };
        return { batch: await lineOf(database, params.id), rows: read, corrected, is_new: isNew };
      }
    }
  });
  requestApprovalRoute(app, desk, live, async (id) => lookAhead(await found(desk, id), desk));
}

/** @throws Problem if the batch does not exist. */
export async function found({ database }: Desk, id: string): Promise<Batch> {
  const batch = await findBatch(database, { id });
  if (!batch) throw notFound(id);
  return batch;
}

/**
 * Whether the person may see full accounts. The uploader, in person or by API key, has the file
 * anyway; others need the permission. Having corrected a batch is not enough, because anybody who
 * may upload can invent a row.
 */
export async function maySeeAccounts(
  { database }: Desk,
  { permissions, actor }: Person,
  { maker }: Batch,
): Promise<boolean> {
  if (permissions.has("reveal")) return true;
  return permissions.has("upload") && standsBehind(database, actor, maker);
}

/** Records a view of full accounts on the audit log. */
export async function tellAudit(
  { database, clock }: Desk,
  { actor }: Person,
  action: AuditAction,
  object: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const at = new Date(clock.nowMs());
  await database
    .transaction()
    .execute((transaction) => appendAudit(transaction, at, { actor, action, object, facts }));
}

const PROBLEMS_TOLD_MAX = 200;

const refusedFile = (problems: readonly RowProblem[]): Problem =>
  new Problem("file_unreadable", {
    detail: problems[0]?.message ?? "",
    problems: problems.slice(0, PROBLEMS_TOLD_MAX).map(coverProblem),
    problems_total: problems.length,
  });

/**
 * Returns the end of a period: the end of the day if `to` is a date, otherwise the moment itself.
 */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === DAY_LENGTH ? DAY_MS : 0));

function readCursor(cursor: string): { at: Date; id: string } {
  const match = /^(\d{1,15})\.(B[0-9A-Z]+)$/.exec(cursor);
  if (!match) {
    const places = [{ place: "query.cursor", message: "must be a cursor for this list" }];
    throw new Problem("invalid_request", { places });
  }
  return { at: new Date(Number(match[1])), id: match[2] ?? "" };
}
