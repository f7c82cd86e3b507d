import type { PayingLedger } from "#ledger/ledger.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { EPOCH_MS } from "#proof/simulation/world/process.ts";
import type { World } from "#proof/simulation/world/world.ts";

/** Pauses or drains a lane, or every lane; it is resumed later, or after all faults have ended. */
export async function pauseSome(
  ledger: PayingLedger,
  faults: { readonly isOver: boolean; readonly isClean: boolean; count(fault: string): void },
  { random, nowMs }: World,
): Promise<void> {
  if (faults.isClean) return;
  const by = { actor: "operator", reason: "the bank called" };
  const pauses = await ledger.payout.lanePauses();
  if (pauses.length > 0 && (faults.isOver || random.isTrue(0.5))) {
    for (const { lane } of pauses) await ledger.payout.resumeLane({ lane, ...by });
    return;
  }
  if (faults.isOver || !random.isTrue(0.05)) return;
  const [batch] = await ledger.payout.workingBatches();
  if (!batch) return;
  const lane = random.pick([EVERY_LANE, ...batch.lanes]);
  const drain = random.isTrue(0.5);
  const until = random.pick([null, new Date(EPOCH_MS + nowMs + random.between(1_000, 60_000))]);
  if (await ledger.payout.pauseLane({ lane, drain, until, ...by })) {
    faults.count(drain ? "lane drained" : "lane paused");
  }
}
