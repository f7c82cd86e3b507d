import type { PeopleDeps } from "#flows/people/deps.ts";
import { applyDueChanges } from "#flows/people/lone-admin.ts";
import { type ReleaseDeps, releaseDue } from "#flows/payout/release.ts";
import { runSchedules, type ScheduleDeps } from "#flows/schedule/schedules.ts";

export interface TickDeps extends ReleaseDeps {
  /** Undefined: schedules are skipped. */
  readonly schedules?: ScheduleDeps;
  /** Undefined: the changes of lone admins are skipped. */
  readonly people?: PeopleDeps;
}

/**
 * Does everything that is due. It may run concurrently, late, or not at all for a while: the ledger
 * records what was done.
 */
export async function tick({ schedules, people, ...deps }: TickDeps): Promise<void> {
  if (schedules) await runSchedules(schedules);
  await releaseDue(deps);
  if (people) await applyDueChanges(people);
}
