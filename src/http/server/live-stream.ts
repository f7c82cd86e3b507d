/** The streams of server-sent events that carry live documents. */
import type { FastifyReply } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { findSession } from "#ledger/people/sessions.ts";
import { isAlive } from "#people/session.ts";

const HEARTBEAT_MS = 15_000;
/** Unread bytes after which a slow reader is disconnected. Its page reconnects by itself. */
const UNREAD_BYTES_MAX = 1_000_000;
/** Milliseconds for which a valid session is assumed to remain valid. */
const SESSION_TRUSTED_MS = 1_000;

/** Takes the documents of the topics that it watches. */
export interface Watcher {
  send(event: string, text: string): void;
}

interface CheckedStream extends Watcher {
  /** Called at each heartbeat. Resolves to false if the stream has ended. */
  beat(): Promise<boolean>;
}

/** Sends nothing after the session has ended. Watching alone does not keep a session alive. */
export function withSessionCheck(
  stream: Stream,
  token: string,
  { clock, database }: ServerDeps,
): CheckedStream {
  let lookedMs = clock.monotonicMs();
  let last = Promise.resolve(true);

  const look = async (): Promise<boolean> => {
    if (stream.ended()) return false;
    const nowMs = clock.monotonicMs();
    if (nowMs - lookedMs <= SESSION_TRUSTED_MS) return true;
    const session = await findSession(database, token);
    lookedMs = nowMs;
    if (session && !session.user.isDisabled && isAlive(session, clock.nowMs())) return true;
    stream.send("signed_out", "{}");
    stream.end();
    return false;
  };
  /** Runs one check after the other, so that old data is never sent after new data. */
  const ifItStands = (tell: () => void): Promise<boolean> => {
    last = last.then(look).then(
      (stands) => {
        if (stands) tell();
        return stands;
      },
      () => {
        // The session's state is unknown. The page reconnects and is authenticated again.
        stream.end();
        return false;
      },
    );
    return last;
  };
  return {
    send: (event, text) => void ifItStands(() => stream.send(event, text)),
    beat: () => ifItStands(() => stream.beat()),
  };
}

/** Sends heartbeats until the stream ends. */
export async function keepAlive(
  watcher: CheckedStream,
  gone: AbortSignal,
  { clock }: ServerDeps,
): Promise<void> {
  for (;;) {
    await clock.sleep(HEARTBEAT_MS, gone);
    if (gone.aborted || !(await watcher.beat())) return;
  }
}

interface Stream extends Watcher {
  readonly gone: AbortSignal;
  beat(): void;
  end(): void;
  ended(): boolean;
}

let eventId = 0;

/** Opens a stream of server-sent events as the answer of a request. */
export function openStream(reply: FastifyReply): Stream {
  const gone = new AbortController();
  const headers = {
    ...reply.getHeaders(),
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
    // A kept-alive connection would delay the shutdown of the server long after the stream ends.
    connection: "close",
  } as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers);
  raw.on("close", () => gone.abort());
  raw.on("error", () => gone.abort());
  const ended = () => gone.signal.aborted || raw.writableEnded;
  const write = (text: string) => {
    if (ended()) return;
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  write("retry: 2000\n\n");
  return {
    gone: gone.signal,
    send: (event, text) => write(`id: ${(eventId += 1)}\nevent: ${event}\ndata: ${text}\n\n`),
    beat: () => write(": alive\n\n"),
    end: () => raw.end(),
    ended,
  };
}
