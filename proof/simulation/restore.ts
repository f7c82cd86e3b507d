import type { Checker } from "./checker.ts";
import { copyOf } from "./ledger/copy.ts";
import type { MemoryLedger } from "./ledger/memory-ledger.ts";
import type { Sky } from "./run.ts";
import type { World } from "./world.ts";

interface Restored {
  readonly memory: MemoryLedger;
  readonly checker: Checker;
  readonly onRestored: () => void;
}

/** Longer than a claim may wait before its bytes leave: nobody sends what a restored ledger has forgotten. */
const DOWN_MIN_MS = 10_000;

/**
 * Once in some runs the database is put back to an earlier point: a copy is made when every file that has come in is
 * approved, and some time later the database goes away and comes back as that copy, on another server. Files that came in
 * meanwhile are lost with their batches; people upload them again.
 */
export function planRestore(
  world: World,
  weather: Sky,
  { memory, checker, onRestored }: Restored,
): void {
  const { chance } = world;
  // Early enough that some files have not come in, or late enough that all of them have.
  const copiedMs = chance.happens(0.4) ? chance.between(0, 4_000) : chance.between(5_000, 60_000);
  world.after(copiedMs, () => {
    // People would have to approve again what waits in the copy.
    const isApproved = memory.tables.payouts.every(({ seq }) => seq > 0);
    if (!isApproved || !weather.restores()) return;
    const copy = copyOf(memory.tables);
    world.tell(() => "a copy of the database is made");
    world.after(chance.between(1_000, 120_000), () => {
      const downMs = chance.between(DOWN_MIN_MS, 60_000);
      world.tell(() => "the database is gone");
      weather.takeDatabase(world.nowMs + downMs);
      world.after(downMs, () => {
        Object.assign(memory.tables, copy);
        memory.server += 1;
        memory.locks.clear();
        checker.restored();
        onRestored();
        world.tell(() => "the database is back, as it was when the copy was made");
      });
    });
  });
}
