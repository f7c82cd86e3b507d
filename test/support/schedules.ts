import { DEFAULT_ROW_SETTINGS } from "#batch/row.ts";
import { systemClock } from "#clock.ts";
import type { ScheduleDeps } from "#flows/schedules.ts";
import { Slots } from "#flows/slots.ts";
import { foldersIn } from "#inbox/folder.ts";
import { createLog } from "#log.ts";
import { TEST_KEYRING, type TestLedger } from "./ledger.ts";

/** What schedules need of the world, over a test's ledger; files arrive below `folder`, where there is one. */
export const scheduleDeps = (
  { ledger, database, sealer }: TestLedger,
  folder?: string,
): ScheduleDeps => ({
  ledger,
  database,
  sealer,
  keyring: TEST_KEYRING,
  rows: DEFAULT_ROW_SETTINGS,
  holidays: new Map(),
  making: new Slots(1),
  inboxOf: foldersIn(folder),
  // A tick ends in its time, whatever it has come to: here it has all the time that it takes.
  clock: { ...systemClock, monotonicMs: () => 0 },
  log: createLog("silent"),
});
