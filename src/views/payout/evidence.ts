import type { PayoutEvidence } from "#api/payout/evidence.ts";
import { Problem } from "#api/app/problems.ts";
import { auditTotals } from "#views/integrity/audit-totals.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { findApprovalEvidence } from "#ledger/approval/approval-evidence.ts";
import { findAuditLines, type ReadableAuditLine } from "#ledger/integrity/audit-lines.ts";
import { findActionsOn } from "#ledger/payout/action/actions-on.ts";
import { findPayoutHistory, type PayoutHistory } from "#ledger/payout/payout-history.ts";
import { type DisplayName, findDisplayNames } from "#ledger/people/names.ts";
import { evidenceEntry, workerHost } from "#payout/timeline.ts";

/** The facts of an action on many payouts that are also about each one. The others are totals. */
const BULK_FACTS: ReadonlySet<string> = new Set(["action", "reason", "proposed_by", "to"]);

/** Maximum number of audit entries per object. A batch has one per correction and decision. */
const AUDIT_MAX = 200;

/**
 * Returns the records that prove the course of a payout, as this person may see them.
 *
 * @throws Problem if the payout does not exist.
 */
export async function payoutEvidence(
  code: string,
  person: Pick<Person, "id" | "permissions">,
  { database, sealer, clock }: Pick<ServerDeps, "database" | "sealer" | "clock">,
): Promise<PayoutEvidence> {
  const payout = await findPayoutHistory(database, sealer, code);
  if (!payout) throw new Problem("not_found", { detail: `There is no payout ${code}.` });
  const objects = await findActionsOn(database, code);
  const page = { after: 0, limit: AUDIT_MAX + 1 };
  const [approvals, batch, ...lines] = await Promise.all([
    findApprovalEvidence(database, payout.batchId),
    database
      .selectFrom("batches")
      .select(["digest", "content_digest"])
      .where("id", "=", payout.batchId)
      .executeTakeFirstOrThrow(),
    findAuditLines(database, { object: payout.batchId, kind: "batch" }, page),
    findAuditLines(database, { object: code, kind: "payout" }, page),
    findAuditLines(database, { objects, kind: "payout_action" }, page).then((all) =>
      all.map(withoutTotals),
    ),
  ]);
  const audit = lines
    .flatMap((each) => each.slice(0, AUDIT_MAX))
    .toSorted((one, other) => one.seq - other.seq);
  const displayOf = await findDisplayNames(
    database,
    [...approvals, ...audit].map(({ actor }) => actor),
    { id: person.id, isAdmin: person.permissions.has("administer") },
  );
  const mayAudit = person.permissions.has("audit");
  return {
    at: new Date(clock.nowMs()).toISOString(),
    file_digest: batch.digest,
    content_digest: batch.content_digest,
    approvals: approvals.map((approval) => ({
      name: displayOf(approval.actor).name,
      at: approval.at.toISOString(),
      method: mayAudit ? approval.method : null,
      content_digest: approval.contentDigest,
      withdrawn_at: approval.withdrawnAt?.toISOString() ?? null,
      withdrawn_reason: approval.withdrawnReason,
    })),
    attempts: attemptsOf(payout),
    answers: recordsOf(payout, "answer", "lease"),
    status_answers: recordsOf(payout, "status"),
    callbacks: recordsOf(payout, "callback"),
    audit: audit.map((line) => auditEntry(line, displayOf, mayAudit)),
    audit_truncated: lines.some((each) => each.length > AUDIT_MAX),
  };
}

const attemptsOf = ({ attempts, evidence }: PayoutHistory) =>
  attempts.map(({ number, openedAt, keyId, worker }) => {
    const answer = evidence.find(({ kind, attempt }) => kind === "answer" && attempt === number);
    return {
      number,
      at: openedAt.toISOString(),
      key: keyId,
      worker,
      worker_host: workerHost(worker),
      answered_at: answer?.at.toISOString() ?? null,
    };
  });

const recordsOf = ({ evidence }: PayoutHistory, ...kinds: readonly string[]) =>
  evidence
    .filter(({ kind }) => kinds.includes(kind))
    .map((each) => ({
      at: each.at.toISOString(),
      attempt: each.attempt,
      facts: [...evidenceEntry(each, false).facts],
    }));

const withoutTotals = (line: ReadableAuditLine): ReadableAuditLine => ({
  ...line,
  facts: Object.fromEntries(Object.entries(line.facts).filter(([name]) => BULK_FACTS.has(name))),
});

const auditEntry = (
  { seq, at, actor, action, object, facts, hash }: ReadableAuditLine,
  displayOf: (actor: string) => DisplayName,
  mayAudit: boolean,
) => ({
  number: mayAudit ? seq : null,
  at,
  actor,
  name: displayOf(actor).name,
  action,
  object,
  facts: mayAudit ? (facts as Record<string, never>) : null,
  totals: mayAudit ? auditTotals(facts) : null,
  hash: mayAudit ? hash : null,
});
