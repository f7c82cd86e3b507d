import type { JOB_STATES, MONITORING_API } from "#api/operations/monitoring.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { findQueueSamples } from "#ledger/operations/throughput-samples.ts";
import type { ServerDeps } from "#views/deps.ts";
import { QUEUES, queueAnswer } from "#views/operations/queue-status.ts";

type History = AnswerOf<(typeof MONITORING_API)["GET /api/operations/queue-history"]>["items"];
type Jobs = AnswerOf<(typeof MONITORING_API)["GET /api/operations/queues/:name/jobs"]>["items"];
type Sources = Pick<ServerDeps, "queues" | "clock" | "log">;

const STEPS = 60;
const MINUTE_SECONDS = 60;
const JOBS_LISTED = 50;

/** Returns the jobs that ended in each queue, with one count for each step. */
export async function queueHistory(
  hours: number,
  { database, clock }: Pick<ServerDeps, "database" | "clock">,
): Promise<History> {
  const step = hours * MINUTE_SECONDS;
  const samples = await findQueueSamples(database, { seconds: STEPS * step, step });
  const last = Math.floor(clock.nowMs() / 1_000 / step);
  return QUEUES.map((name) => {
    const known = new Map(
      samples
        .filter(({ queue }) => queue === name)
        .map((sample) => [Math.floor(sample.at.getTime() / 1_000 / step), sample]),
    );
    const counts = (kind: "finished" | "failed") =>
      Array.from({ length: STEPS }, (_, at) => known.get(last - STEPS + 1 + at)?.[kind] ?? 0);
    return { name, step_minutes: hours, finished: counts("finished"), failed: counts("failed") };
  });
}

/** Returns the first jobs of a queue; null if the queue does not answer. */
export const jobsView = (
  name: string,
  state: (typeof JOB_STATES)[number],
  { queues, ...sources }: Sources,
): Promise<Jobs> =>
  queueAnswer(sources, async () => {
    const queue = await queues.queue(name);
    const states = state === "waiting" ? (["waiting", "prioritized"] as const) : [state];
    const jobs = await queue.getJobs([...states], 0, JOBS_LISTED - 1, true);
    return jobs.map(({ id, timestamp, delay, data }) => ({
      id: id ?? "",
      added_at: new Date(timestamp).toISOString(),
      due_at: state === "delayed" ? new Date(timestamp + delay).toISOString() : null,
      payload: payloadOf(data),
    }));
  });

/** Returns the values of a job without the version of its format. */
const payloadOf = (data: unknown): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(data ?? {}).filter(
      (entry): entry is [string, string | number] =>
        entry[0] !== "v" && (typeof entry[1] === "string" || typeof entry[1] === "number"),
    ),
  );
