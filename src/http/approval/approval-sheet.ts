import type { z } from "zod";
import type { APPROVAL_API } from "#api/approval/approvals.ts";
import { extraPeople, isRefused } from "#approval/payout-limits.ts";
import { openCauses, sayCause } from "#intake/batch/quarantine.ts";
import { sayRepeat } from "#intake/batch/exact-duplicates.ts";
import {
  allowedUnless,
  mayApproveNow,
  mayRelease,
  policyOf,
  STILL_LOOKING,
  totalsOf,
  waitingOf,
} from "#views/approval/approval-state.ts";
import type { Desk } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { mayPrioritize } from "#http/approval/priority.ts";
import { Problem } from "#api/app/problems.ts";
import { repeatsIn } from "#http/approval/exact-duplicates.ts";
import { sentByDefault } from "#views/approval/default-values.ts";
import { shownIn } from "#views/intake/row-problem.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { unusualIn } from "#http/approval/anomalies.ts";
import { heldAsNumbers } from "#ledger/intake/batch-findings.ts";
import { findBreaches } from "#ledger/approval/limit-use.ts";
import { namesOf } from "#ledger/people/names.ts";
import { repeatsAllowed } from "#ledger/intake/exact-duplicates.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";
import { readDescription } from "#ledger/intake/batch-description.ts";
import { laneParts } from "#payout/payout.ts";

type Sheet = z.output<(typeof APPROVAL_API)["GET /api/batches/:id/approval"]["answer"]>;

/** Returns the facts that an approver examines before approving a batch. */
export async function sheetOf(batchId: string, person: Person, desk: Desk): Promise<Sheet> {
  const { ledger, database, clock } = desk;
  const batch = await ledger.findBatch({ id: batchId });
  const stored = await waitingOf(desk, batchId, person);
  if (!batch || !stored) throw new Problem("not_found");
  const { maker, state, contentDigest } = batch;
  const allowed = await repeatsAllowed(database, batchId);
  const nameOf = await namesOf(database, [maker, ...allowed.map(({ actor }) => actor)]);
  const isWaiting = state === "awaiting_approval";
  const at = new Date(clock.nowMs());
  // Each of these reads the whole batch. They run concurrently, so that a large batch is not waited
  // for three times.
  const [breaches, repeats, unusual] = await Promise.all([
    isWaiting ? findBreaches(database, batchId, at) : [],
    isWaiting ? repeatsIn(batch, desk) : [],
    unusualIn(batch, desk),
  ]);
  const waiting = isWaiting ? { ...stored, limitPeople: extraPeople(breaches) } : stored;
  const isOpen = (repeats ?? []).some(({ isAllowed }) => !isAllowed);
  const sending = (await sendingsOf(database, [batchId])).get(batchId);
  const approve = mayApproveNow(person, waiting, state);
  const quarantine = openCauses(await ledger.quarantineOf(batchId));
  return {
    batch_id: batch.id,
    file: batch.fileName,
    name: batch.name,
    purpose: (await readDescription(database, batchId)).purpose,
    state,
    reason: batch.reason,
    created_at: batch.createdAt.toISOString(),
    maker: { actor: maker, name: nameOf(maker) },
    priority: batch.priority,
    content_digest: contentDigest,
    rows: batch.rows,
    rejected: batch.rejected,
    totals: totalsOf(batch.lanes),
    notes: batch.facts.notes.map(shownIn(false)),
    numbers: await heldAsNumbers(database, batch.id),
    send: sendView(sending),
    policy: await policyOf(desk, waiting, state),
    anomalies: unusual,
    quarantine: quarantine.map(sayCause),
    duplicates: {
      looking: repeats === null,
      found: (repeats ?? []).map((repeat) => ({
        batch_id: repeat.batchId,
        rows: repeat.rows,
        lines: [...repeat.lines],
        says: sayRepeat(repeat),
        allowed: repeat.isAllowed,
      })),
      allowed: allowed.map(({ actor, reason, at: said }) => ({
        actor,
        name: nameOf(actor),
        reason,
        at: said.toISOString(),
      })),
    },
    sent: batch.lanes.map(({ lane }) => {
      const { payoutCode, callbackUrl } = sentByDefault(lane, desk.deps);
      const { merchantCode } = laneParts(lane);
      return {
        lane,
        merchant_code: merchantCode,
        payout_code: payoutCode,
        callback_url: callbackUrl,
      };
    }),
    you: {
      approve: approve.may
        ? allowedUnless(
            quarantine.length > 0 &&
              "The batch is in quarantine: it may have been paid before the ledger was restored.",
            unusual === null && STILL_LOOKING,
            isRefused(breaches) && "The batch exceeds a hard payout limit.",
            isOpen && "The batch contains exact duplicates that have not been allowed.",
          )
        : approve,
      reject: allowedUnless(
        !person.permissions.has("approve") && "You are not an approver.",
        !isWaiting && "The batch is not awaiting approval.",
      ),
      prioritize: mayPrioritize(person, { state, maker, isOver: batch.finishedAt !== null }),
      release_quarantine: mayRelease(person, quarantine),
      allow_duplicates: allowedUnless(
        !isWaiting && "The batch is not awaiting approval.",
        !isOpen && "All exact duplicates have already been allowed.",
        !person.permissions.has("upload") && "You are not an uploader.",
        person.kind === "key" && "Only a signed-in user can do this.",
      ),
      withdraw: allowedUnless(
        !(waiting.approved && isWaiting) && "You have not approved this batch.",
      ),
    },
  };
}
