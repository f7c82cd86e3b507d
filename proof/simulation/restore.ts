import type { Checker } from "./checker.ts";
import { copyOf } from "./ledger/copy.ts";
import type { MemoryLedger } from "./ledger/memory-ledger.ts";
import type { Sky } from "./run.ts";
import type { World } from "./world.ts";

/** Longer than a claim may wait before its bytes leave: nobody sends what a restored ledger has forgotten. */
const DOWN_MIN_MS = 10_000;

/**
 * Once in some runs the database is put back to an earlier point: a copy is made when every file has been approved, and
 * some time later the database goes away and comes back as that copy, on another server.
 */
export function planRestore(
  world: World,
  weather: Sky,
  { memory, checker, payouts }: { memory: MemoryLedger; checker: Checker; payouts: number },
): void {
  const { chance } = world;
  world.after(chance.between(5_000, 60_000), () => {
    // People would have to take in and approve again what the copy does not have.
    const { descendants, payouts: rows } = memory.tables;
    const isWhole = rows.length - descendants.size === payouts;
    const isApproved = rows.every(({ seq }) => seq > 0);
    if (!isWhole || !isApproved || !weather.restores()) return;
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
        world.tell(() => "the database is back, as it was when the copy was made");
      });
    });
  });
}
