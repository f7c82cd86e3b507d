import { stringify } from "csv-stringify/sync";
import { openCauses, causeText } from "#intake/batch/quarantine.ts";
import { BATCH_STATES, isBeforeApproval, stateText } from "#intake/batch/batch-lifecycle.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import {
  type ApprovalInput,
  type Batches,
  BATCHES_LISTED_MAX,
  type Exception,
  type ShownBatch,
} from "#cli/batch/batches.ts";
import { batchesOf, type ReasonBody } from "#cli/batch/batch-client.ts";
import { cannotOrder, noBatch, notWaiting } from "#cli/batch/local-errors.ts";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { acknowledgeFindings } from "#cli/batch/possible-duplicates.ts";
import { approveWithTotals } from "#cli/batch/approve.ts";
import { setCanary } from "#cli/batch/canary.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { frozenText } from "#cli/terminal/frozen.ts";
import { comparedNumbers } from "#cli/batch/confirmations.ts";
import { currentActor } from "#cli/terminal/output.ts";
import { sayCorrections, sayOverrides } from "#cli/batch/overrides.ts";
import { reportText } from "#cli/batch/report.ts";
import { documentOf } from "#cli/batch/result.ts";
import { sayMissed } from "#cli/batch/send-time.ts";
import { localStandstill } from "#cli/terminal/standstill.ts";
import { stopsOf } from "#cli/batch/stops.ts";
import { systemClock } from "#base/clock.ts";
import { withAudit } from "#flows/people/audited.ts";
import { setBatchPriority } from "#flows/payout/priority.ts";
import { approvedTime, sendBatchNow } from "#flows/schedule/send-time.ts";
import { canaryView } from "#views/payout/circuit-breakers.ts";
import { sendTimeView } from "#views/schedule/send-time.ts";
import { findingsOf } from "#ledger/intake/batch-findings.ts";
import { findRequestedCanary } from "#ledger/payout/canaries.ts";
import { rejectedRows, reportRows } from "#ledger/intake/batch-rows.ts";
import { listBatches } from "#ledger/payout/batches.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import { decideQuarantine } from "#ledger/intake/quarantine.ts";
import { allowExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { findArchivePlaces } from "#ledger/integrity/archive/registry.ts";
import { archivedView } from "#views/intake/batch.ts";
import { findBlockedAmong } from "#ledger/approval/policy/blocked-batches.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { findExceptions } from "#ledger/payout/payout-history.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { formatMoney } from "#money/format.ts";
import { sendMoment } from "#schedule/cut-offs.ts";
import { type LocalMoment, momentText } from "#schedule/local-time.ts";
import type { SendTime } from "#schedule/release.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** The operator of this machine may give no reason; the contract requires one of everyone else. */
const localReason: ReasonBody = (given, instead) => ({
  reason: (given ?? instead ?? null) as string,
});

/**
 * The batches of this machine's ledger. Orders, requests for approval and comparisons go through
 * the API client. The rest has no equal in the API: decisions that only the local operator makes
 * here (approval, exact duplicates, quarantine, sending now, priority), and answers read directly
 * from the ledger, current and with full account numbers.
 */
export function localBatches(here: OpenLedger, client: ApiClient): Batches {
  const { database, ledger } = here;
  return {
    ...batchesOf(client, localReason),
    async list() {
      const batches = await listBatches(database, BATCHES_LISTED_MAX);
      const blocked = await findBlockedAmong(
        database,
        batches.map(({ id }) => id),
      );
      return batches.map((batch) => ({
        ...documentOf(batch),
        needs_duplicate_reason: blocked.has(batch.id),
      }));
    },
    standstill: () => localStandstill({ database, ledger }),
    show: (id) => show(id, here),
    approve: (id, how) => approve(id, how, here),
    exceptions: (id, limit) => findLocalExceptions(id, limit, here),
    ...decisionsHere(here),
    ...filesHere(here),
  };
}

async function show(id: string, { database, ledger }: OpenLedger): Promise<ShownBatch> {
  const batch = await found(id, ledger);
  const lanes = batch.lanes.map(({ lane }) => lane);
  const isOver = BATCH_STATES[batch.state].final;
  const [progress, stopped, freeze, sendings, canaries, archives] = await Promise.all([
    ledger.payout.progressOf(id),
    isOver ? [] : stopsOf(id, lanes, ledger),
    isOver ? null : ledger.integrity.verify(),
    findSendTimes(database, [id]),
    ledger.payout.canaries(id),
    isOver ? findArchivePlaces(database, { batchId: id }) : [],
  ]);
  const send = sendTimeView(sendings.get(id));
  const frozen = freeze && { reason: freeze.reason, says: frozenText(freeze) };
  return {
    document: {
      ...documentOf(batch),
      needs_duplicate_reason: (await findBlockedAmong(database, [id])).has(id),
    },
    reason: batch.reason,
    priority: batch.priority,
    progress,
    stopped,
    send,
    canary: canaryView(await findRequestedCanary(database, id), canaries),
    frozen,
    archived: archivedView(archives),
    quarantine: openCauses(isOver ? [] : await ledger.intake.quarantineOf(id)).map(causeText),
  };
}

async function approve(
  id: string,
  { totals, at, canary, numbersCompared, acknowledge }: ApprovalInput,
  here: OpenLedger,
): Promise<void> {
  const { config, database, ledger, sealer } = here;
  const batch = await found(id, ledger);
  const send = at && (await readSendTime(at, id, ledger));
  const compared = await comparedNumbers(id, numbersCompared, database);
  await setCanary(batch, canary, ledger);
  const timed = send ?? (await findSendTimes(database, [id])).get(id);
  const { sentDefaultsOf } = await import("#app/wiring.ts");
  await sayOverrides(batch, { database, sealer, deps: sentDefaultsOf(config) });
  await sayCorrections(batch, { database, sealer });
  await sayMissed(batch, sendMoment(timed?.at, new Date(systemClock.nowMs())), database);
  // Otherwise the approval is refused for another reason.
  const isApprovable =
    batch.peopleNeeded === 1 &&
    isBeforeApproval(batch.state) &&
    openCauses(await ledger.intake.quarantineOf(id)).length === 0;
  const acknowledged = isApprovable ? await acknowledgeFindings(batch, acknowledge, here) : [];
  const how = { ledger, compared, acknowledged, ...(send && { send }) };
  const approved = await approveWithTotals(batch, totals, how);
  if (approved.ok) return;
  if (approved.error.kind === "not_found") throw noBatch(id);
  throw cannotOrder(id, "approved", stateText(approved.error.state));
}

/** Decisions of the local operator about one batch. */
function decisionsHere({ database, ledger }: OpenLedger) {
  return {
    async sendNow(id, reason) {
      const how = {
        batchId: id,
        reason: reason ?? "none given",
        actor: currentActor(),
        userId: null,
      };
      const done = await sendBatchNow(how, { ledger });
      if (!done.ok)
        throw done.error === "not_found" ? noBatch(id) : notWaiting(id, NOTHING_TO_SEND);
    },
    async allowExactDuplicates(id, reason) {
      const { contentDigest } = await found(id, ledger);
      const at = new Date(systemClock.nowMs());
      const said = { batchId: id, contentDigest, reason, actor: currentActor(), at };
      const done = await database
        .transaction()
        .execute((transaction) => allowExactDuplicates(transaction, said));
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
      const order = {
        batchId: id,
        decision: "released",
        reason,
        actor: currentActor(),
        at,
      } as const;
      const isDone = await database
        .transaction()
        .execute((transaction) => decideQuarantine(transaction, order));
      if (!isDone) throw new CliError(EXIT.conflict, `Batch ${id} is not in quarantine.`);
    },
    async setPriority(id, priority, reason) {
      const set = {
        batchId: id,
        actor: currentActor(),
        reason: reason ?? "none given",
        priority,
      };
      const done = await setBatchPriority(set, ledger);
      if (done.ok) return;
      if (done.error.kind === "not_found") throw noBatch(id);
      throw cannotOrder(id, "given a different priority", stateText(done.error.state));
    },
  } satisfies Partial<Batches>;
}

/** Lists and files of one batch, with full account numbers. */
function filesHere({ database, ledger, sealer }: OpenLedger) {
  const told = (action: AuditAction, object: string, facts: Readonly<Record<string, string>>) =>
    withAudit({ ledger, clock: systemClock }, async () => ({
      value: null,
      line: { actor: currentActor(), action, object, facts },
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

async function readSendTime(at: LocalMoment, id: string, ledger: Ledger): Promise<SendTime> {
  const send = await approvedTime(at, id, { ledger, clock: systemClock });
  if (send) return send;
  throw new CliError(
    EXIT.usage,
    `The send time ${momentText(at)} has passed. The batch was not approved.`,
  );
}

/**
 * Returns the payouts of a batch that were declined, are on hold or in doubt, from this machine's
 * ledger.
 */
export async function findLocalExceptions(
  id: string,
  limit: number,
  { database }: Pick<OpenLedger, "database">,
): Promise<readonly Exception[]> {
  const found = await findExceptions(database, id, limit);
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
