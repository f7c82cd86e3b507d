import type { Column } from "../../../components/data-table.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { actionName } from "../../integrity/action-messages.ts";
import { factName, partName } from "../../integrity/fact-names.ts";
import { EntryDetails } from "../../integrity/entry-details.tsx";
import type { PayoutEvidence } from "../payout-query.ts";
import { messages as texts } from "./messages.ts";
import classes from "./evidence.module.css";

type Approval = PayoutEvidence["approvals"][number];
type Attempt = PayoutEvidence["attempts"][number];
type StoredRecord = PayoutEvidence["answers"][number];
type AuditEntry = PayoutEvidence["audit"][number];

/** A time to the second, without the time since then, which a printed page cannot show. */
const at = (time: string | null) => <Timestamp year seconds at={time} relative={false} />;

/** The columns of the approvals, which are for this content or an earlier one. */
export const approvalColumns = (contentDigest: string): readonly Column<Approval>[] => [
  { key: "name", header: texts.approver, names: true, cell: ({ name }) => name },
  { key: "at", header: texts.approvedAt, cell: (approval) => at(approval.at) },
  {
    key: "method",
    header: texts.method,
    cell: ({ method }) => (method === null ? "–" : texts.methods[method]),
  },
  {
    key: "valid",
    header: texts.valid,
    cell: ({ withdrawn_at, withdrawn_reason, content_digest }) =>
      withdrawn_at !== null
        ? texts.withdrawn(withdrawn_reason)
        : content_digest === contentDigest
          ? texts.given
          : texts.otherContent,
  },
];

/** The columns of the attempts. */
export const ATTEMPTS: readonly Column<Attempt>[] = [
  { key: "number", header: texts.attempt, names: true, cell: ({ number }) => String(number) },
  { key: "at", header: texts.recorded, cell: (attempt) => at(attempt.at) },
  {
    key: "answered",
    header: texts.answered,
    cell: ({ answered_at }) => (answered_at === null ? texts.noAnswer : at(answered_at)),
  },
  { key: "key", header: texts.key, cell: ({ key }) => key },
  { key: "worker", header: texts.worker, cell: ({ worker_host }) => texts.workerOn(worker_host) },
];

const STORED: Column<StoredRecord> = {
  key: "stored",
  header: texts.stored,
  cell: ({ facts }) => (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{factName(name)}</dt>
          <dd>
            <UserText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  ),
};

/** The columns of the records without an attempt: status responses and callbacks. */
export const STATUS_RECORDS: readonly Column<StoredRecord>[] = [
  { key: "at", header: texts.at, names: true, cell: (record) => at(record.at) },
  STORED,
];

/** The columns of the gateway's responses to attempts. */
export const RECORDS: readonly Column<StoredRecord>[] = [
  {
    key: "attempt",
    header: texts.attempt,
    names: true,
    cell: ({ attempt }) => (attempt === null ? "–" : String(attempt)),
  },
  { key: "at", header: texts.at, cell: (record) => at(record.at) },
  STORED,
];

/** Characters of a hash on the screen. The printed page has the whole hash. */
const HASH_SHOWN = 12;

/** The columns of the audit entries. */
export const AUDIT: readonly Column<AuditEntry>[] = [
  { key: "number", header: texts.number, cell: ({ number }) => `#${number}` },
  { key: "at", header: texts.at, names: true, cell: (entry) => at(entry.at) },
  { key: "by", header: texts.by, cell: ({ actor, name }) => partName(actor) ?? name },
  { key: "action", header: texts.action, cell: ({ action }) => actionName(action) },
  {
    key: "details",
    header: texts.details,
    cell: ({ facts, totals }) =>
      facts === null ? "–" : <EntryDetails of={{ facts, totals }} isPrinted />,
  },
  {
    key: "hash",
    header: texts.hash,
    cell: ({ hash }) => (
      <span className={classes.digest} title={hash ?? undefined}>
        <span className={classes.onScreen}>{hash?.slice(0, HASH_SHOWN)}…</span>
        <span className={classes.onPaper}>{hash}</span>
      </span>
    ),
  },
];
