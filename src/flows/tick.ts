import { type ReleaseDeps, releaseDue } from "#flows/release.ts";
import { runSchedules, type ScheduleDeps } from "#flows/schedules.ts";

export interface TickDeps extends ReleaseDeps {
  /** Without it no schedule is looked at. */
  readonly schedules?: ScheduleDeps;
}

/** Does what has come due. Twice at once, late or not at all for a while: the ledger knows what was done. */
export async function tick({ schedules, ...deps }: TickDeps): Promise<void> {
  if (schedules) await runSchedules(schedules);
  await releaseDue(deps);
}
