import type { Checker } from "./checker.ts";
import { copyOf } from "#proof/simulation/ledger/copy.ts";
import type { MemoryLedger } from "#proof/simulation/ledger/connection.ts";
import type { World } from "#proof/simulation/world/world.ts";
import type { Faults } from "#proof/simulation/run/fault-injector.ts";

interface Restored {
  readonly memory: MemoryLedger;
  readonly checker: Checker;
  readonly onRestored: () => void;
}

/**
 * Longer than a claim may wait before its bytes are sent: nobody sends what a restored ledger has
 * forgotten.
 */
const DOWN_MIN_MS = 10_000;

/**
 * Restores the database to an earlier point once in some runs: a copy is made when every file so
 * far is approved. Later the database goes away and returns as that copy, on another server. Files
 * uploaded meanwhile are lost with their batches, and people upload them again. The file record is
 * lost as well, so no batch goes into quarantine.
 */
export function planRestore(
  world: World,
  faults: Faults,
  { memory, checker, onRestored }: Restored,
): void {
  const { random } = world;
  // Early enough that some files are not uploaded yet, or late enough that all are.
  const copiedMs = random.isTrue(0.4) ? random.between(0, 4_000) : random.between(5_000, 60_000);
  world.after(copiedMs, () => {
    // People would have to approve the waiting batches of the copy again.
    const isApproved = memory.tables.payouts.every(({ seq }) => seq > 0);
    if (!isApproved || !faults.restores()) return;
    const copy = copyOf(memory.tables);
    world.log(() => "a copy of the database is made");
    world.after(random.between(1_000, 120_000), () => {
      const downMs = random.between(DOWN_MIN_MS, 60_000);
      world.log(() => "the database is gone");
      faults.stopDatabase(world.nowMs + downMs);
      world.after(downMs, () => {
        Object.assign(memory.tables, copy);
        memory.server += 1;
        memory.locks.clear();
        checker.restored();
        onRestored();
        world.log(() => "the database is back, in the state of the copy");
      });
    });
  });
}
