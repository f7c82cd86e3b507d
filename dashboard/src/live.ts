import { useEffect, useSyncExternalStore } from "react";
import { queryClient } from "./query-client.ts";
import { sessionQuery } from "./session.ts";

/**
 * One stream of hints for the whole tab. The server says that a topic changed, at most once a second, and the page
 * asks again. While the stream is down, what is on the page is asked for every 5 s.
 */
export interface Liveness {
  readonly state: "live" | "offline";
  readonly sinceMs: number;
}

const POLL_MS = 5_000;
const watchers = new Map<string, number>();
const listeners = new Set<() => void>();
let liveness: Liveness = { state: "offline", sinceMs: Date.now() };
let stream: EventSource | undefined;
let polling: ReturnType<typeof setInterval> | undefined;

/** Keeps the page fresh while one of the topics ("batch:BA…", "operations") changes. */
export function useLive(topics: readonly string[]): Liveness {
  const wanted = [...topics].sort().join(",");
  useEffect(() => {
    const mine = wanted.split(",").filter(Boolean);
    for (const topic of mine) watchers.set(topic, (watchers.get(topic) ?? 0) + 1);
    connect();
    return () => {
      for (const topic of mine) {
        const left = (watchers.get(topic) ?? 1) - 1;
        if (left === 0) watchers.delete(topic);
        else watchers.set(topic, left);
      }
      connect();
    };
  }, [wanted]);
  return useSyncExternalStore(listen, () => liveness);
}

function connect(): void {
  stream?.close();
  stream = undefined;
  clearInterval(polling);
  polling = undefined;
  const topics = [...watchers.keys()].sort();
  if (topics.length === 0) return;
  stream = new EventSource(`/api/live?${new URLSearchParams({ topics: topics.join(",") })}`);
  stream.addEventListener("open", () => become("live"));
  stream.addEventListener("error", () => become("offline"));
  stream.addEventListener("changed", refresh);
}

function become(state: Liveness["state"]): void {
  if (state === "offline") polling ??= setInterval(refresh, POLL_MS);
  else {
    clearInterval(polling);
    polling = undefined;
  }
  if (liveness.state === state) return;
  liveness = { state, sinceMs: Date.now() };
  for (const listener of listeners) listener();
}

const refresh = (): void =>
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
  });

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
