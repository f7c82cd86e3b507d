import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import { Problem } from "#api/app/problems.ts";
import type { RetryEdit } from "#api/payout/retry-batches.ts";
import { createRetryBatch } from "#flows/payout/retry-batch.ts";
import { type RetryBatchRefusal, refusalText } from "#flows/payout/retry-refusal-text.ts";
import { retryReader, type RowEdit } from "#flows/payout/retry-rows.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { maskProblem } from "#intake/masking.ts";
import { findBatchOrThrow, notFound } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import { retryChanges } from "#views/approval/retry-changes.ts";
import { declinedRowView, retryBatchDocument } from "#views/payout/retry-batch.ts";

type RetryRouteDeps = RouteDeps &
  Pick<ServerDeps, "ledger" | "rows" | "sealer"> & {
    readonly deps: Pick<ServerDeps["deps"], "keyring">;
  };

/** Adds the API routes for retry batches. */
export function retryBatchRoutes(app: FastifyInstance, desk: RetryRouteDeps): void {
  const { database, ledger, rows, deps, sealer } = desk;

  route(app, desk, "GET /api/batches/:id/retry-batch", async ({ params }) => {
    const document = await retryBatchDocument(database, params.id);
    if (!document) throw notFound(params.id);
    return document;
  });

  route(app, desk, "POST /api/batches/:id/retry-batch", async ({ params, body, person }) => {
    const { reason, causes, lines, returned, edits = [] } = body ?? {};
    const edited = new Map(edits.map((edit) => [edit.line, rowEdit(edit)]));
    const by = { batchId: params.id, actor: person.actor };
    const order = { ...by, reason, causes, lines, returned, edits: edited };
    const made = await createRetryBatch(order, { ledger, keyring: deps.keyring, rows });
    if (!made.ok) throw refused(params.id, made.error);
    const { batch, leftOut, needNewDetails } = made.value;
    return {
      batch_id: batch.id,
      payouts: batch.rows,
      edited: made.value.edited,
      need_new_details: needNewDetails,
      left_out: leftOut,
    };
  });

  route(app, desk, "GET /api/batches/:id/retry-changes", async ({ params }) => {
    await findBatchOrThrow({ database }, params.id);
    return { items: await retryChanges(database, sealer, params.id) };
  });

  declinedRowRoutes(app, desk);
}

function declinedRowRoutes(app: FastifyInstance, desk: RetryRouteDeps): void {
  const { database, ledger, rows } = desk;

  route(app, desk, "GET /api/batches/:id/declined-rows", async ({ params, query }) => {
    const { facts } = await findBatchOrThrow({ database }, params.id);
    const { limit, cause, line, cursor } = query;
    const [after] = cursor ? readCursor(cursor, z.tuple([z.int()])) : [0];
    const page = {
      batchId: params.id,
      after,
      sizeMax: limit,
      ...(cause && { cause }),
      ...(line !== undefined && { lines: [line] }),
    };
    const found = await ledger.payout.declinedRows(page);
    const last = found.at(-1);
    return {
      items: found.map((declined) => declinedRowView(facts.header, declined, rows)),
      next: last && found.length === limit ? cursorOf([last.payoutId]) : null,
    };
  });

  route(app, desk, "POST /api/batches/:id/retry-batch/check", async ({ params, body }) => {
    const batch = await findBatchOrThrow({ database }, params.id);
    const only = { batchId: params.id, after: 0, sizeMax: 1, lines: [body.line] };
    const [declined] = await ledger.payout.declinedRows(only);
    if (!declined) {
      const notRetryable = [body.line];
      throw refused(params.id, { kind: "invalid_edits", problems: [], notRetryable });
    }
    const edit = rowEdit(body);
    const read = retryReader(batch, rows, edit.keys()).read(declined, body.line, edit);
    const problems =
      read.kind === "rejected" ? read.row.problems : read.kind === "draft" ? read.row.warnings : [];
    const lines = [body.line];
    return {
      valid: read.kind === "draft",
      problems: [
        ...problems.map(maskProblem).map(({ column, severity, message, correction }) => ({
          column,
          severity,
          message,
          correction,
        })),
        ...(read.kind === "unchanged" ? [unchanged(params.id, lines)] : []),
      ],
    };
  });
}

const unchanged = (id: string, lines: readonly number[]) => ({
  column: null,
  severity: "error" as const,
  message: refusalText(id, { kind: "needs_new_details", lines }),
  correction: "",
});

const rowEdit = ({ cells }: RetryEdit): RowEdit =>
  new Map(cells.map(({ column, text }) => [column, text]));

function refused(id: string, given: RetryBatchRefusal): Problem {
  const refusal =
    given.kind === "invalid_edits"
      ? { ...given, problems: given.problems.map(maskProblem) }
      : given;
  const detail = refusalText(id, refusal);
  switch (refusal.kind) {
    case "not_found":
      return notFound(id);
    case "frozen":
      return new Problem("ledger_frozen");
    case "nothing":
      return new Problem("nothing_declined", { detail });
    case "paid_again":
      return new Problem("already_in_retry_batch", { detail, batches: refusal.batchIds });
    case "no_valid_rows":
      return new Problem("no_valid_rows", { detail });
    case "needs_new_details":
      return new Problem("needs_new_details", { detail, lines: refusal.lines });
    case "needs_reason":
      return new Problem("retry_reason_required", { detail, lines: refusal.lines });
    case "returned_changed":
      return new Problem("content_changed", { detail });
    case "invalid_edits":
      return new Problem("invalid_edits", {
        detail,
        problems: refusal.problems,
        not_retryable: refusal.notRetryable,
      });
  }
}
