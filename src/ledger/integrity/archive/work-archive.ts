import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "#base/clock.ts";
import { LogTree, treeLeaf } from "#integrity/evidence-pack/log-tree.ts";
import type { OpenArchive } from "#integrity/archive/read.ts";
import { appendAudit, intactAuditLines } from "#ledger/integrity/audit-hash-chain.ts";
import { detachPart, findArchives, restorePart } from "#ledger/integrity/archive/registry.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import type { Database } from "#ledger/store/database.ts";

interface Deps {
  readonly database: Database;
  readonly clock: Pick<Clock, "nowMs">;
}

/** Counted parts and payouts of an archive. */
export interface Worked {
  readonly payouts: number;
  readonly changedPayouts: number;
}

/** Called after each part with the number of payouts so far. */
export type OnPart = (payouts: number) => void;

/**
 * Removes the rows of an archive part by part. Each part is read from the file again just before,
 * and removed in one transaction only if its lines are the rows in the ledger. A run that was
 * killed can be repeated. Parts with changed payouts stay in the ledger.
 *
 * @throws the refusal of the ledger; see `refusedArchive`.
 * @throws PackError if the file is damaged.
 */
export const detachArchive = (
  archive: OpenArchive,
  { actor, onPart = () => {} }: { readonly actor: string; readonly onPart?: OnPart },
  deps: Deps,
): Promise<Worked | null> =>
  withLock(deps.database, "archive", async () => {
    const { id, parts } = archive.manifest;
    const known = await stateOfParts(deps.database, id);
    const left = parts.some((_, index) => known.get(index + 1) === "attached");
    // Without the agreement, the ledger refuses the first part, so there is no removal to record.
    const [{ isAgreed } = { isAgreed: false }] = await findArchives(deps.database, id);
    if (left && isAgreed) await record(deps, actor, "detach_archive", id, {});
    let [payouts, changedPayouts, removed] = [0, 0, 0];
    for (const [index, part] of parts.entries()) {
      let outcome = known.get(index + 1);
      if (outcome === "attached") {
        const text = await archive.partText(part);
        const digest = createHash("sha256").update(text).digest();
        const done = await detachPart(deps.database, { id, number: index + 1, digest });
        outcome = done === "changed" ? "changed" : "detached";
        removed += outcome === "detached" ? part.payouts : 0;
      }
      if (outcome === "changed") changedPayouts += part.payouts;
      else payouts += part.payouts;
      onPart(payouts + changedPayouts);
    }
    const facts = { payouts, changed: changedPayouts, now: removed };
    if (left) await record(deps, actor, "archive_detached", id, facts);
    return { payouts, changedPayouts };
  });

/**
 * Puts the removed rows of an archive back, part by part. Can be repeated.
 *
 * @throws PackError if the file is damaged.
 */
export const restoreArchive = (
  archive: OpenArchive,
  { actor, onPart = () => {} }: { readonly actor: string; readonly onPart?: OnPart },
  deps: Deps,
): Promise<Worked | null> =>
  withLock(deps.database, "archive", async () => {
    const { id, parts } = archive.manifest;
    const known = await stateOfParts(deps.database, id);
    let payouts = 0;
    for (const [index, part] of parts.entries()) {
      if (known.get(index + 1) !== "detached") continue;
      const text = await archive.partText(part);
      await restorePart(deps.database, { id, number: index + 1, text });
      payouts += part.payouts;
      onPart(payouts);
    }
    await record(deps, actor, "restore_archive", id, { payouts });
    return { payouts, changedPayouts: 0 };
  });

/** Appends a line about an archive to the audit log. */
export const record = (
  { database, clock }: Deps,
  actor: string,
  action: "detach_archive" | "archive_detached" | "restore_archive" | "view_archive",
  object: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> =>
  database
    .transaction()
    .execute((transaction) =>
      appendAudit(transaction, new Date(clock.nowMs()), { actor, action, object, facts }),
    );

type PartState = "attached" | "detached" | "changed";

async function stateOfParts(database: Database, id: string): Promise<Map<number, PartState>> {
  const { rows } = await sql<{ number: number; state: PartState }>`
    select number, case when detached_at is not null then 'detached' when changed_at is not null then 'changed'
      else 'attached' end as state
    from archive_parts where archive_id = ${id}`.execute(database);
  return new Map(rows.map(({ number, state }) => [number, state]));
}

/**
 * Compares an archive file with this ledger: the registered manifest, the line of the audit log
 * that recorded it, and the root of the log at that time.
 *
 * @returns what is wrong. Null: the file belongs to this ledger.
 * @throws BrokenAuditError if the audit log is not intact.
 */
export async function whyForeign(
  { manifest, digest }: Pick<OpenArchive, "manifest" | "digest">,
  database: Database,
): Promise<string | null> {
  const [known] = await findArchives(database, manifest.id);
  if (!known) return `this ledger has no archive ${manifest.id}`;
  if (!known.digest.equals(digest)) return "its manifest is not the registered one";
  const tree = new LogTree();
  let [root, recorded] = ["", false];
  for await (const line of intactAuditLines(database)) {
    tree.add(treeLeaf({ ...line, hash: line.hash.toString("hex") }));
    if (line.seq === manifest.log.line) root = tree.root();
    if (line.action !== "create_archive" || line.object !== manifest.id) continue;
    const facts = JSON.parse(line.facts) as { manifest?: string };
    recorded ||= facts.manifest === digest.toString("hex");
  }
  if (root !== manifest.log.root)
    return `line ${manifest.log.line} of the audit log has another root`;
  return recorded ? null : "the audit log has no entry about it";
}
