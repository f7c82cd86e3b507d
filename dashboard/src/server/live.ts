import { useEffect, useRef, useSyncExternalStore } from "react";
import { addressOf } from "./address.ts";
import { reportSignedOut } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { sessionQuery } from "./session.ts";

/**
 * One stream for the whole tab. When what a topic shows has changed, at most once a second, the
 * server sends its document. While the stream is down, what is on the page is asked for every 5 s.
 */
export interface StreamStatus {
  readonly state: "live" | "offline";
  readonly sinceMs: number;
}

/** Takes the document that came for a topic. */
type TopicListener = (topic: string, document: unknown) => void;

const POLL_MS = 5_000;
const topicListeners = new Map<string, Set<TopicListener>>();
const listeners = new Set<() => void>();
let liveness: StreamStatus = { state: "offline", sinceMs: Date.now() };
let stream: EventSource | undefined;
let polling: ReturnType<typeof setInterval> | undefined;

/**
 * Watches topics ("home", "batch:BA…") as long as the page shows them. Without `hear`, whatever
 * changed makes the page ask again; with it, the page takes the document as it came.
 */
export function useLive(topics: readonly string[], hear: TopicListener = refresh): StreamStatus {
  const wanted = [...topics].sort().join(",");
  const latest = useRef(hear);
  useEffect(() => {
    latest.current = hear;
  });
  useEffect(() => {
    const mine = wanted.split(",").filter(Boolean);
    const tell: TopicListener = (topic, document) => latest.current(topic, document);
    for (const topic of mine)
      topicListeners.set(topic, (topicListeners.get(topic) ?? new Set()).add(tell));
    connect();
    return () => {
      for (const topic of mine) {
        const left = topicListeners.get(topic);
        left?.delete(tell);
        if (left?.size === 0) topicListeners.delete(topic);
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
  const topics = [...topicListeners.keys()].sort();
  if (topics.length === 0) return;
  const { address } = addressOf("GET /api/live", { query: { topics: topics.join(",") } });
  stream = new EventSource(address);
  stream.addEventListener("open", () => become("live"));
  stream.addEventListener("error", () => become("offline"));
  stream.addEventListener("signed_out", reportSignedOut);
  for (const topic of topics) {
    stream.addEventListener(topic, ({ data: text }: MessageEvent<string>) => {
      for (const hear of topicListeners.get(topic) ?? []) hear(topic, JSON.parse(text));
    });
  }
}

function become(state: StreamStatus["state"]): void {
  if (state === "offline") polling ??= setInterval(poll, POLL_MS);
  else {
    clearInterval(polling);
    polling = undefined;
  }
  if (liveness.state === state) return;
  liveness = { state, sinceMs: Date.now() };
  for (const listener of listeners) listener();
}

/**
 * A browser tries a broken stream again, but not one that was refused: a proxy does that while the
 * server starts.
 */
function poll(): void {
  refresh();
  if (stream?.readyState === EventSource.CLOSED) connect();
}

function refresh(): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
  });
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
