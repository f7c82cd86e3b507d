import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../../server/client.ts";

/** The tasks of the reader, the payouts in doubt and the next runs. */
export type HomeTasks = Answer<"GET /api/home/tasks">;
/** The figures of the last 30 days, and the balances. */
export type Figures = Answer<"GET /api/home/figures">;

const TASKS_EVERY_MS = 10_000;
const FIGURES_EVERY_MS = 60_000;

/** Loads the tasks, again every ten seconds. */
export const tasksQuery = queryOptions({
  queryKey: ["GET /api/home/tasks"],
  queryFn: ({ signal }) => call("GET /api/home/tasks", { signal }),
  refetchInterval: TASKS_EVERY_MS,
});

/** Loads the figures, again every minute. */
export const figuresQuery = queryOptions({
  queryKey: ["GET /api/home/figures"],
  queryFn: ({ signal }) => call("GET /api/home/figures", { signal }),
  refetchInterval: FIGURES_EVERY_MS,
});
