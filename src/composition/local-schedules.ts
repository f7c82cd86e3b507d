import { createLocalApi, type LocalApi } from "#http/app/local-app.ts";
import { scheduleRoutes } from "#http/schedule/schedules.ts";
import { bankDays } from "#app/bank-days.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { systemClock } from "#base/clock.ts";
import { openFoldersIn } from "#schedule/folder/watched-folder.ts";

export type { LocalApi };

/** Number of occurrences of each schedule in the local list. */
const OCCURRENCES_LISTED = 50;

/**
 * Opens the operations on schedules for the operator of this machine.
 *
 * @param actor the operator in the audit log, such as "cli:asha".
 */
export function localScheduleApi(open: OpenLedger, actor: string): Promise<LocalApi> {
  const { config } = open;
  const days = bankDays(config);
  const inboxOf = openFoldersIn(config.WATCH_FOLDER);
  return createLocalApi({ ...open, clock: systemClock }, actor, (app, desk) =>
    scheduleRoutes(
      app,
      { ...desk, ledger: open.ledger, bankDays: days, inboxOf },
      OCCURRENCES_LISTED,
    ),
  );
}
