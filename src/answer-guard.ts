import type { CancelableRequest, Response } from "got";

/** Why a request was ended before its answer was whole. */
export type EndedFor = "too_large" | "http_101";

/**
 * Ends a request whose answer grows beyond this, or is none: a connection that switches protocols ends the client's own
 * deadline with itself. Returned is what tells why it was ended; null: it was not.
 */
export function guardAnswer(
  request: CancelableRequest<Response<string>>,
  bytesMax: number,
): () => EndedFor | null {
  let endedFor: EndedFor | null = null;
  const end = (why: EndedFor) => {
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
