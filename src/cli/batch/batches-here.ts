import { stringify } from "csv-stringify/sync";
import { openCauses, sayCause } from "#intake/batch/quarantine.ts";
import { BATCH_STATES, standingText } from "#intake/batch/batch-lifecycle.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import {
  type Approving,
  type Batches,
  BATCHES_LISTED_MAX,
  type Exception,
  type ShownBatch,
} from "#cli/batch/batches.ts";
import { batchesOf, type ReasonOf } from "#cli/batch/batch-client.ts";
import { cannotBe, noBatch, notWaiting } from "#cli/batch/local-words.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { approveWithTotals } from "#cli/batch/approve.ts";
import { setCanary } from "#cli/batch/canary.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { frozenText } from "#cli/terminal/frozen.ts";
import { comparedNumbers } from "#cli/batch/numbers-compared.ts";
import { actor } from "#cli/terminal/output.ts";
import { sayOverrides } from "#cli/batch/overrides.ts";
import { reportText } from "#cli/batch/report.ts";
import { documentOf } from "#cli/batch/result.ts";
import { sayMissed } from "#cli/batch/send-time.ts";
import { standstillHere } from "#cli/terminal/standstill.ts";
import { stopsOf } from "#cli/batch/stops.ts";
import { systemClock } from "#base/clock.ts";
import { audited } from "#flows/people/audited.ts";
import { setPriority } from "#flows/payout/priority.ts";
import { approvedTime, sendNow } from "#flows/schedule/send-time.ts";
import { canaryShown } from "#views/payout/circuit-breakers.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { findingsOf } from "#ledger/intake/batch-findings.ts";
import { askedCanary } from "#ledger/payout/canaries.ts";
import { rejectedRows, reportRows } from "#ledger/intake/batch-rows.ts";
import { listBatches } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import { decideQuarantine } from "#ledger/intake/quarantine.ts";
import { allowRepeats } from "#ledger/intake/exact-duplicates.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";
import { exceptionsOf } from "#ledger/payout/payout-history.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { formatMoney } from "#money/format.ts";
import { goesOutAt } from "#schedule/cut-offs.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import type { SendTime } from "#schedule/release.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** The operator of this machine may give no reason; the contract requires one of everyone else. */
const reasonHere: ReasonOf = (given, instead) => ({ reason: (given ?? instead ?? null) as string });

/**
 * The batches of this machine's ledger. Orders, requests for approval and comparisons go through
 * the API client. The rest has no equal in the API: decisions that only the local operator makes
 * here (approval, exact duplicates, quarantine, sending now, priority), and answers read directly
 * from the ledger, current and with full account numbers.
 */
export function batchesHere(here: OpenLedger, client: ApiClient): Batches {
  const { database, ledger } = here;
  return {
    ...batchesOf(client, reasonHere),
    async list() {
      return (await listBatches(database, BATCHES_LISTED_MAX)).map(documentOf);
    },
    standstill: () => standstillHere({ database, ledger }),
    show: (id) => show(id, here),
    approve: (id, how) => approve(id, how, here),
    exceptions: (id, limit) => exceptionsHere(id, limit, here),
    ...decisionsHere(here),
    ...filesHere(here),
  };
}

async function show(id: string, { database, ledger }: OpenLedger): Promise<ShownBatch> {
  const batch = await found(id, ledger);
  const lanes = batch.lanes.map(({ lane }) => lane);
  const isOver = BATCH_STATES[batch.state].final;
  const [progress, stopped, freeze, sendings, canaries] = await Promise.all([
    ledger.payout.progressOf(id),
    isOver ? [] : stopsOf(id, lanes, ledger),
    isOver ? null : ledger.integrity.verify(),
    sendingsOf(database, [id]),
    ledger.payout.canaries(id),
  ]);
  const send = sendView(sendings.get(id));
  const frozen = freeze && { reason: freeze.reason, says: frozenText(freeze) };
  return {
    document: documentOf(batch),
    reason: batch.reason,
    priority: batch.priority,
    progress,
    stopped,
    send,
    canary: canaryShown(await askedCanary(database, id), canaries),
    frozen,
    quarantine: openCauses(isOver ? [] : await ledger.intake.quarantineOf(id)).map(sayCause),
  };
}

async function approve(
  id: string,
  { totals, at, canary, numbersCompared }: Approving,
  { config, database, ledger, sealer }: OpenLedger,
): Promise<void> {
  const batch = await found(id, ledger);
  const send = at && (await timeGiven(at, id, database));
  const compared = await comparedNumbers(id, numbersCompared, database);
  await setCanary(batch, canary, ledger);
  const timed = send ?? (await sendingsOf(database, [id])).get(id);
  const { sentHere } = await import("#app/wiring.ts");
  await sayOverrides(batch, { database, sealer, deps: sentHere(config) });
  await sayMissed(batch, goesOutAt(timed?.at, new Date(systemClock.nowMs())));
  const how = { ledger, compared, ...(send && { send }) };
  const approved = await approveWithTotals(batch, totals, how);
  if (approved.ok) return;
  if (approved.error.kind === "not_found") throw noBatch(id);
  throw cannotBe(id, "approved", standingText(approved.error.state));
}

/** Decisions of the local operator about one batch. */
function decisionsHere({ database, ledger }: OpenLedger) {
  return {
    async sendNow(id, reason) {
      const how = { batchId: id, reason: reason ?? "none given", actor: actor(), userId: null };
      const done = await sendNow(how, { ledger, database });
      if (!done.ok)
        throw done.error === "not_found" ? noBatch(id) : notWaiting(id, NOTHING_TO_SEND);
    },
    async allowRepeats(id, reason) {
      const { contentDigest } = await found(id, ledger);
      const at = new Date(systemClock.nowMs());
      const said = { batchId: id, contentDigest, reason, actor: actor(), at };
      const done = await database
        .transaction()
        .execute((transaction) => allowRepeats(transaction, said));
      if (done === "allowed") return;
      throw new CliError(
        EXIT.conflict,
        done === "no_exact_duplicates"
          ? `Batch ${id} contains no exact duplicates of recently approved payouts.`
          : `Batch ${id} is not waiting for approval.`,
      );
    },
    async releaseQuarantine(id, reason) {
      const at = new Date(systemClock.nowMs());
      const order = { batchId: id, decision: "released", reason, actor: actor(), at } as const;
      const isDone = await database
        .transaction()
        .execute((transaction) => decideQuarantine(transaction, order));
      if (!isDone) throw new CliError(EXIT.conflict, `Batch ${id} is not in quarantine.`);
    },
    async setPriority(id, priority, reason) {
      const set = {
        batchId: id,
        actor: actor(),
        reason: reason ?? "none given",
        priority,
      };
      const done = await setPriority(set, ledger);
      if (done.ok) return;
      if (done.error.kind === "not_found") throw noBatch(id);
      throw cannotBe(id, "given a different priority", standingText(done.error.state));
    },
  } satisfies Partial<Batches>;
}

/** Lists and files of one batch, with full account numbers. */
function filesHere({ database, ledger, sealer }: OpenLedger) {
  const told = (action: AuditAction, object: string, facts: Readonly<Record<string, string>>) =>
    audited({ database, clock: systemClock }, async () => ({
      value: null,
      line: { actor: actor(), action, object, facts },
    }));
  return {
    async findings(id) {
      const { facts } = await found(id, ledger);
      const ofFile = facts.notes.map((example) => ({ count: 1, lines: [], example }));
      return [...ofFile, ...(await findingsOf(database, sealer, id))];
    },
    async *rejects(id) {
      const { facts } = await found(id, ledger);
      await told("download_rejects", id, { format: "csv" });
      const records = rejectRecords(facts.header);
      yield stringify([[...records.header]], { delimiter: facts.delimiter, bom: true });
      for await (const row of rejectedRows(database, sealer, id)) {
        yield stringify([[...records.of(row)]], { delimiter: facts.delimiter });
      }
    },
    async *report(id, format) {
      const batch = await found(id, ledger);
      await told("download_report", id, { format, accounts: "in full" });
      yield* reportText(batch.facts, reportRows(database, sealer, id), format);
    },
  } satisfies Partial<Batches>;
}

const NOTHING_TO_SEND = "is neither waiting for a scheduled send time nor held back";

async function timeGiven(at: LocalMoment, id: string, database: Database): Promise<SendTime> {
  const send = await approvedTime(at, id, { database, clock: systemClock });
  if (send) return send;
  throw new CliError(EXIT.usage, `${momentText(at)} has passed. The batch was not approved.`);
}

/**
 * Returns the payouts of a batch that were declined, are on hold or in doubt, from this machine's
 * ledger.
 */
export async function exceptionsHere(
  id: string,
  limit: number,
  { database }: Pick<OpenLedger, "database">,
): Promise<readonly Exception[]> {
  const found = await exceptionsOf(database, id, limit);
  return found.map(({ line, transactionCode: code, state, reason, money }) => {
    const { currency } = money;
    return { line, code, state, reason, currency, amount: formatMoney(money) };
  });
}

async function found(id: string, ledger: Ledger): Promise<Batch> {
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) throw noBatch(id);
  return batch;
}
