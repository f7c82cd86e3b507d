import { printable } from "#base/invisible-characters.ts";
import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import {
  type Batches,
  type Intake,
  BATCHES_LISTED_MAX,
  type BatchDocument,
  type ShownBatch,
} from "#cli/batch/batches.ts";
import { batchesOf, leftOutRowsOf, retriesOf } from "#cli/batch/batch-client.ts";
import { fileNameOf } from "#cli/terminal/file.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { pauseText } from "#cli/batch/stops.ts";
import { withoutByteOrderMark } from "#cli/batch/report.ts";
import type { Server } from "#cli/terminal/server.ts";
import { serverStandstill } from "#cli/terminal/standstill.ts";
import { type Money, parseDecimal } from "#money/money.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";

type BatchLine = AnswerOf<(typeof API)["GET /api/batches"]>["items"][number];
type BatchView = AnswerOf<(typeof API)["GET /api/batches/:id"]>;

/** The batches of a server. */
export function serverBatches(server: Server): Batches {
  return {
    ...batchesOf(server, (given) => ({ reason: requireReason(given) })),
    async list() {
      const query = { limit: BATCHES_LISTED_MAX };
      const { items } = await server.call("GET /api/batches", { query });
      return items.map(documentOfLine);
    },
    standstill: () => serverStandstill(server),
    async show(id) {
      return shownOf(await server.call("GET /api/batches/:id", { params: { id } }));
    },
    async approve(id) {
      throw new CliError(
        EXIT.notAllowed,
        `API keys cannot approve batches. A signed-in approver who did not upload or edit batch ${id} can approve it at ${server.url}/batches/${id}/approval. No payouts were sent.`,
      );
    },
    async sendNow(id) {
      throw new CliError(
        EXIT.notAllowed,
        `API keys cannot send a batch immediately. A signed-in approver can do this at ${server.url}/batches/${id}`,
      );
    },
    async allowExactDuplicates(id) {
      throw new CliError(
        EXIT.notAllowed,
        `API keys cannot allow exact duplicates. A signed-in user can do this at ${server.url}/batches/${id}/approval`,
      );
    },
    async releaseQuarantine(id) {
      throw new CliError(
        EXIT.notAllowed,
        `API keys cannot release a batch from quarantine. A signed-in user can do this at ${server.url}/batches/${id}`,
      );
    },
    async setPriority(id, priority, reason) {
      const body = { reason: requireReason(reason), priority };
      await server.call("POST /api/batches/:id/priority", { params: { id }, body });
    },
    async exceptions(id, limit) {
      const query = { batch: id, state: "declined,on_hold,returned,in_doubt", limit } as const;
      const { items } = await server.call("GET /api/payouts", {
        query: { ...query, sort: "oldest" },
      });
      return items;
    },
    async findings(id) {
      const found = await server.call("GET /api/batches/:id/findings", { params: { id } });
      const ofFile = found.file.notes.map((example) => ({ count: 1, lines: [], example }));
      return [...ofFile, ...found.findings];
    },
    rejects: (id) => server.readFile("GET /api/batches/:id/rejects", { params: { id }, query: {} }),
    report(id, format) {
      const file = { params: { id }, query: { format } };
      return withoutByteOrderMark(server.readFile("GET /api/batches/:id/report", file));
    },
  };
}

/** The batches of a server, with file uploads. */
export function serverIntake(server: Server): Intake {
  return {
    ...serverBatches(server),
    ...retriesOf(server),
    ...leftOutRowsOf(server),
    async create(
      path,
      { name, purpose, total = [], canary, priority, amounts, column = [], currency },
    ) {
      const said = { name, purpose, canary, priority, amounts, currency };
      const query = {
        ...said,
        file_name: fileNameOf(path),
        expect_sum: [...total],
        ...(column.length > 0 && { columns: [...column] }),
        ...((column.length > 0 || currency) && { remember_columns: "true" as const }),
      };
      const { answer, isReplayed } = await server.sendFile("POST /api/batches", path, { query });
      const { batch, is_new: isNew, ignored_options: notApplied } = answer;
      return { id: batch.batch_id, isNew: isNew && !isReplayed, notApplied };
    },
    async correct(id, path) {
      const input = { params: { id }, query: { file_name: fileNameOf(path) } };
      return (await server.sendFile("POST /api/batches/:id/corrections", path, input)).answer;
    },
  };
}

/** Requires a reason: several people work with a server's batches. */
function requireReason(reason: string | null): string {
  if (reason !== null) return reason;
  throw new CliError(
    EXIT.usage,
    "Give a reason with --reason TEXT. The server records the reason for other users. No changes were made.",
  );
}

const documentOfLine = (line: BatchLine): BatchDocument => ({
  batch_id: line.batch_id,
  state: line.state,
  file: line.file,
  name: line.name,
  digest: line.digest,
  content_digest: line.content_digest,
  rows: line.rows,
  rejected: line.rejected,
  totals: Object.fromEntries(line.totals.map(({ currency, amount }) => [currency, amount])),
  created_at: line.created_at,
  approved_at: line.approved_at,
  finished_at: line.finished_at,
  needs_duplicate_reason: line.needs_duplicate_reason,
});

function shownOf(view: BatchView): ShownBatch {
  return {
    document: {
      batch_id: view.batch_id,
      state: view.state,
      file: view.file,
      name: view.name,
      digest: view.digest,
      content_digest: view.content_digest,
      rows: view.rows,
      rejected: view.rejected,
      totals: Object.fromEntries(view.equation.map((each) => [each.currency, each.approved])),
      created_at: view.created_at,
      approved_at: view.approved_at,
      finished_at: view.finished_at,
      needs_duplicate_reason: view.needs_duplicate_reason,
    },
    reason: view.reason,
    archived: view.archived,
    priority: view.priority,
    send: view.send,
    canary: view.canary,
    progress: view.lanes.flatMap(({ lane, currency, states }) =>
      states.map(({ state, count, amount }) => ({
        state,
        lane,
        count,
        sum: moneyIn(currency, amount),
      })),
    ),
    stopped: view.lanes.flatMap(({ lane, stopped }) => {
      if (!stopped) return [];
      const { since: stopped_at, breaker, needs, retry_at, paused_by, all_lanes } = stopped;
      const reason =
        paused_by === null
          ? stopped.reason
          : pauseText({ ...stopped, lane: all_lanes ? EVERY_LANE : lane, actor: paused_by });
      return [{ lane, reason, needs, stopped_at, retry_at, breaker: breaker?.code ?? null }];
    }),
    quarantine: view.quarantine,
    frozen:
      view.frozen === null
        ? null
        : {
            reason: view.frozen,
            says: `The ledger is frozen, so payrun is not sending payouts: ${printable(view.frozen)}.`,
          },
  };
}

/** The server writes an amount with all digits of its currency. */
function moneyIn(currency: string, amount: string): Money {
  const exact = parseDecimal(amount, amount.split(".")[1]?.length ?? 0);
  if (!exact) throw new Error(`The server returned an invalid amount: ${amount}`);
  return { currency, ...exact };
}
