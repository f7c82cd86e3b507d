import { type Batches, BATCHES_LISTED_MAX } from "#cli/batches.ts";
import { approveWithTotals } from "#cli/approve.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { frozenText } from "#cli/frozen.ts";
import { actor } from "#cli/output.ts";
import { reportText } from "#cli/report.ts";
import { documentOf } from "#cli/result.ts";
import { stopsOf } from "#cli/stops.ts";
import { systemClock } from "#clock.ts";
import { audited } from "#flows/people/audited.ts";
import { cancel, type ControlRefusal, pause, resume } from "#flows/control.ts";
import { reportRows } from "#ledger/batch-rows.ts";
import { listBatches } from "#ledger/batches.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import type { Result } from "#result.ts";
import type { OpenLedger } from "#wiring.ts";

/** The batches of the ledger of this machine. */
export function batchesHere({ database, ledger, sealer }: OpenLedger): Batches {
  const order = (batchId: string, reason: string | null) => ({ batchId, actor: actor(), reason });
  return {
    async list() {
      return (await listBatches(database, BATCHES_LISTED_MAX)).map(documentOf);
    },
    async show(id) {
      const batch = await found(id, ledger);
      const lanes = batch.lanes.map(({ lane }) => lane);
      const [progress, stopped, freeze] = await Promise.all([
        ledger.progressOf(id),
        stopsOf(lanes, ledger),
        ledger.verify(),
      ]);
      const frozen = freeze && { reason: freeze.reason, says: frozenText(freeze) };
      return { document: documentOf(batch), reason: batch.reason, progress, stopped, frozen };
    },
    async approve(id, totals) {
      const batch = await found(id, ledger);
      orThrow(id, "approved", await approveWithTotals(batch, totals, { ledger }));
    },
    async pause(id, reason) {
      orThrow(id, "paused", await pause(order(id, reason), ledger));
    },
    async resume(id, reason) {
      return orThrow(id, "resumed", await resume(order(id, reason), ledger)).lanes;
    },
    async cancel(id, reason) {
      return orThrow(id, "cancelled", await cancel(order(id, reason), ledger)).cancelled;
    },
    async *report(id, format) {
      const batch = await found(id, ledger);
      const facts = { format, accounts: "in full" };
      const line = { actor: actor(), action: "download_report", object: id, facts };
      await audited({ database, clock: systemClock }, async () => ({ value: null, line }));
      yield* reportText(batch.facts, reportRows(database, sealer, id), format);
    },
  };
}

async function found(id: string, ledger: Ledger): Promise<Batch> {
  const batch = await ledger.findBatch({ id });
  if (!batch) throw noBatch(id);
  return batch;
}

const noBatch = (id: string): CliError =>
  new CliError(EXIT.notFound, `There is no batch ${id}. See: payrun batch list`);

function orThrow<T>(id: string, wish: string, result: Result<T, ControlRefusal>): T {
  if (result.ok) return result.value;
  throw refused(id, wish, result.error);
}

function refused(id: string, wish: string, error: ControlRefusal): CliError {
  switch (error.kind) {
    case "not_found":
      return noBatch(id);
    case "wrong_state":
      return new CliError(EXIT.conflict, `Batch ${id} is ${error.state} and cannot be ${wish}.`);
    case "frozen":
      return new CliError(
        EXIT.conflict,
        `Batch ${id} is not ${wish}: the ledger is frozen, and may not know what was sent of it. See: payrun doctor`,
      );
  }
}
