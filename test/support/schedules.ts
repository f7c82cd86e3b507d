import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { systemClock } from "#base/clock.ts";
import type { ScheduleDeps } from "#flows/schedule/schedules.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { openFoldersIn } from "#schedule/folder/watched-folder.ts";
import { createLog } from "#base/log.ts";
import { TEST_KEYRING, type TestLedger } from "./ledger.ts";

/**
 * Dependencies of schedules, over a test's ledger; files arrive below `folder`, if there is one.
 */
export const scheduleDeps = ({ ledger }: TestLedger, folder?: string): ScheduleDeps => ({
  ledger,
  keyring: TEST_KEYRING,
  rows: DEFAULT_ROW_SETTINGS,
  holidays: new Map(),
  creating: new RequestSlots(1),
  inboxOf: openFoldersIn(folder),
  // A tick stops at its time limit, whatever it has reached. Here the limit is long enough.
  clock: { ...systemClock, monotonicMs: () => 0 },
  log: createLog("silent"),
});
