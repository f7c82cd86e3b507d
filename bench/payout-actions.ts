/** Time that actions on many payouts take: the preview, and the change with its audit line. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { applyPayoutAction, previewPayoutAction } from "#flows/payout/payout-actions.ts";
import type { BulkAction } from "#payout/action/payout-action.ts";
import { median, openEmbedded, scratch, writeInrFile } from "./support.ts";

/** Seconds of one action. */
export interface ActionSeconds {
  readonly action: BulkAction;
  readonly preview: number;
  readonly apply: number;
}

/** Holds back and releases all payouts of a batch several times, and then cancels them. */
export async function measurePayoutActions(rows: number, runs: number): Promise<ActionSeconds[]> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { ledger, keyring } = payrun;
  try {
    const file = writeInrFile(join(folder, "payouts.csv"), rows, 1);
    const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
    const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
    if (!taken.ok) throw new Error("the file was refused");
    const { batch } = taken.value;
    const order = { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
    const approved = await approve(batch.id, order, { ledger });
    if (!approved.ok) throw new Error(JSON.stringify(approved.error));
    const act = async (action: BulkAction): Promise<ActionSeconds> => {
      const startedMs = performance.now();
      const filter = { batchId: batch.id };
      const asked = { action, filter, selection: {}, actor: "bench" };
      const seen = await previewPayoutAction(asked, { ledger });
      const seenMs = performance.now();
      if (!seen.ok) throw new Error(seen.error);
      const by = { id: seen.value.id, actor: "bench", reason: "bench" };
      const applied = await applyPayoutAction(by, { ledger });
      const appliedMs = performance.now();
      if (!applied.ok || applied.value.changed?.count !== rows) {
        throw new Error(`expected ${rows} changed payouts: ${JSON.stringify(applied)}`);
      }
      const seconds = (from: number, to: number) => (to - from) / 1_000;
      return { action, preview: seconds(startedMs, seenMs), apply: seconds(seenMs, appliedMs) };
    };
    const measured: ActionSeconds[] = [];
    for (let run = 0; run < runs; run++) {
      measured.push(await act("hold_back"), await act("release"));
    }
    measured.push(await act("cancel"));
    return [...Map.groupBy(measured, ({ action }) => action)].map(([action, same]) => ({
      action,
      preview: median(same.map(({ preview }) => preview)),
      apply: median(same.map(({ apply }) => apply)),
    }));
  } finally {
    await payrun.close();
  }
}
