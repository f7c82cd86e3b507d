import type { OPERATIONS_API } from "#api/operations/operations.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { combinedFacts, whyJobsRefused } from "#jobs/redis.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";
import { callbackJob } from "#jobs/callback.ts";
import { depositJob } from "#jobs/deposit.ts";
import type { ServerDeps } from "#views/deps.ts";
import { messageOf } from "#base/log.ts";

type Overview = AnswerOf<(typeof OPERATIONS_API)["GET /api/operations"]>;
/** The queues of jobs that send payouts and track payouts and deposits. */
export const QUEUES = [submitJob.queue, resolveJob.queue, callbackJob.queue, depositJob.queue];
const QUEUE_PATIENCE_MS = 3_000;

/**
 * Returns the state of the queues, and why they accept no jobs or their workers receive none. Null:
 * there is no such reason.
 */
export async function queueOf({ queues, engine, clock, log }: ServerDeps): Promise<{
  readonly shown: Overview["queue"];
  readonly obstacle: string | null;
}> {
  const told = await queueAnswer({ clock, log }, () =>
    Promise.all([queues.inspect(QUEUES), queues.redis()]),
  );
  if (!told) {
    return { shown: { engine: engine.kind, queues: null, redis: null }, obstacle: null };
  }
  const [facts, primaries] = told;
  const redis = primaries && combinedFacts(primaries);
  const shown = {
    engine: engine.kind,
    queues: facts.map(({ name, waiting, active, delayed, oldestAtMs }) => ({
      name,
      waiting,
      active,
      delayed,
      oldest_at: oldestAtMs === null ? null : new Date(oldestAtMs).toISOString(),
    })),
    redis: redis && {
      version: redis.version,
      policy: redis.policy,
      append_only: redis.appendOnly,
      used_bytes: redis.usedBytes,
      max_bytes: redis.maxBytes,
    },
  };
  const paused = facts.filter(({ isPaused }) => isPaused).map(({ name }) => name);
  const whyPaused = paused.length > 0 ? `contains paused queues: ${paused.join(", ")}` : null;
  const refusals = (primaries ?? []).flatMap((each) => whyJobsRefused(each) ?? []);
  const why = refusals[0] ?? whyPaused;
  return { shown, obstacle: why && `${redis ? "Redis" : "PostgreSQL"} ${why}` };
}

/** Asks the queues, and waits a few seconds at most. Null: they do not answer. */
export async function queueAnswer<Answer>(
  { clock, log }: Pick<ServerDeps, "clock" | "log">,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  const late = new AbortController();
  try {
    const asked = ask();
    asked.catch(() => {}); // May fail after the caller stopped waiting.
    const answer = await Promise.race([asked, clock.sleep(QUEUE_PATIENCE_MS, late.signal)]);
    return answer ?? null;
  } catch (error) {
    log.debug({ err: messageOf(error) }, "failed to query the queues");
    return null;
  } finally {
    late.abort();
  }
}
