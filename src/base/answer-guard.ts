import type { CancelableRequest, Response } from "got";

/** The reason why a request was cancelled before its answer was complete. */
export type AbortReason = "too_large" | "http_101";

/**
 * Cancels a request if its answer exceeds `bytesMax`, or if the server switches protocols, which
 * would also end the client's own deadline. Returns a function that gives the reason for the
 * cancellation, or null if the request was not cancelled.
 */
export function limitAnswer(
  request: CancelableRequest<Response<string>>,
  bytesMax: number,
): () => AbortReason | null {
  let endedFor: AbortReason | null = null;
  const end = (why: AbortReason) => {
    endedFor = why;
    request.cancel();
  };
  void request.on("request", (sent) =>
    sent.once("upgrade", (_answer, socket) => {
      socket.destroy();
      end("http_101");
    }),
  );
  void request.on("downloadProgress", ({ transferred }) => {
    if (transferred > bytesMax) end("too_large");
  });
  return () => endedFor;
}
