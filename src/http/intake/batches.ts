import type { FastifyInstance } from "fastify";
import { correct } from "#flows/intake/correct.ts";
import { recordReupload, NO_DIFFERENCES } from "#flows/approval/request-approval.ts";
import { ingestRows, type RowsUpload } from "#flows/intake/ingest.ts";
import { uploadFile } from "#flows/intake/upload.ts";
import type { API } from "#api/api.ts";
import type { BodyOf, QueryOf } from "#api/app/operation.ts";
import { FIRST_LINE } from "#intake/rows/row-list.ts";
import { parseMapping } from "#intake/header/column-mapping.ts";
import { refusedCorrection, refusedFile, refusedRows } from "#http/intake/refusals.ts";
import { expectedOf, requestApprovalRoute } from "#http/intake/request-approval.ts";
import { whyNotPrioritize } from "#views/approval/approval-state.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { analyseAhead } from "#views/approval/anomalies.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { Spooled } from "#http/server/upload-spool.ts";
import { recordReuploader } from "#ledger/intake/batch-description.ts";

type Api = typeof API;
type FileQuery = QueryOf<Api["POST /api/batches"]>;
type RowsBody = NonNullable<BodyOf<Api["POST /api/batches"]>>;
type Described = Pick<RowsUpload, "actor" | "described" | "canary" | "priority">;

/**
 * Registers the routes for batches: uploads, corrections, and sending for approval.
 */
export function batchRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, sealer, ledger, rows, clock } = deps;
  const { keyring } = deps.deps;
  const now = () => new Date(clock.nowMs());

  const takeFile = (query: FileQuery, { digest, open }: Spooled, upload: Described) => {
    const columns = query.columns && parseMapping(query.columns);
    const choices = {
      ...(query.amounts && { amounts: query.amounts }),
      ...(query.currency && { currency: query.currency }),
      ...(columns?.ok && { columns: columns.value }),
    };
    const file = { ...upload, fileName: query.file_name, open, digest, choices };
    return uploadFile(file, query.remember_columns === "true", { ledger, keyring, rows });
  };
  const takeRows = async (body: RowsBody | undefined, upload: Described) => {
    const nameOf = await findActorNames(database, [upload.actor]);
    const given = { rows: body?.rows ?? [], refusesInvalid: body?.invalid_rows !== "keep" };
    const source = { ...upload, ...given, fileName: nameOf(upload.actor) };
    return ingestRows(source, { ledger, keyring, rows });
  };

  route(app, deps, "POST /api/batches", async ({ query, body, file, person }) => {
    const { actor } = person;
    const said = body ?? query;
    const { name = null, purpose = null, canary, priority, expect_rows, expect_sum } = said;
    const expected = expectedOf(expect_rows ?? undefined, expect_sum ?? undefined);
    const described = { name, purpose, expected };
    const options = { ...(canary !== undefined && { canary }), ...(priority && { priority }) };
    const upload = { actor, described, ...options };
    const taken = file ? await takeFile(query, file, upload) : await takeRows(body, upload);
    if (!taken.ok) throw file ? refusedFile(taken.error) : refusedRows(taken.error, FIRST_LINE);
    const { batch, isNew } = taken.value;
    const sending = { canary, priority, whyNotPrioritize: whyNotPrioritize(person) };
    const again = { ...described, ...sending, batchId: batch.id, actor, at: now() };
    const { differences, notApplied } = isNew
      ? NO_DIFFERENCES
      : await recordReupload(again, ledger);
    if (differences.length > 0) {
      throw new Problem("totals_differ", { detail: differences.join(" ") });
    }
    return {
      batch: await lineOf(database, batch.id),
      is_new: isNew,
      ignored_options: [...notApplied],
    };
  });

  route(app, deps, "POST /api/batches/:id/corrections", async ({ params, query, file, person }) => {
    const { digest, open } = file;
    const { actor } = person;
    const upload = { fileName: query.file_name, open, digest, actor };
    const settings = { ledger, database, sealer, keyring, rows, at: now() };
    const corrected = await correct(params.id, upload, settings);
    if (!corrected.ok) throw refusedFile(corrected.error);
    const { value } = corrected;
    const isNew = value.kind === "corrected";
    if (!isNew && value.kind !== "known") throw refusedCorrection(params.id, value);
    live.invalidateBatch(params.id);
    if (!isNew) await recordReuploader(database, { batchId: params.id, actor, at: now() });
    const counts = isNew
      ? { rows: value.rows, corrected: value.corrected }
      : { rows: 0, corrected: 0 };
    return { batch: await lineOf(database, params.id), ...counts, is_new: isNew };
  });

  requestApprovalRoute(app, deps, live, async (id) =>
    analyseAhead(await findBatchOrThrow(deps, id), deps),
  );
}
