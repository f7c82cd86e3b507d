import type { FastifyInstance, FastifyReply } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { sessionToken } from "#http/server/person.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { findSession } from "#ledger/people/sessions.ts";
import { isAlive } from "#people/session.ts";

/** Topics that can be watched, with the function that creates the document of an ID. */
export type Topics = Readonly<Record<string, (id: string, desk: ServerDeps) => Promise<unknown>>>;

/** Minimum milliseconds between two versions of a document, for any number of watchers. */
const STEP_MS = 1_000;
/** A document uses at most 1/SHARE of the server's time, so a large batch is counted less often. */
const SHARE = 20;
/** Maximum milliseconds between two versions of a document. */
const REST_MAX_MS = 30_000;
/** Assumed milliseconds to create a document that was never created before. */
const ASSUMED_DURATION_MS = 100;
const HEARTBEAT_MS = 15_000;
/** Unread bytes after which a slow reader is disconnected. Its page reconnects by itself. */
const UNREAD_BYTES_MAX = 1_000_000;
/** Maximum number of live streams per session. A browser with many tabs shares them. */
const STREAMS_MAX = 10;
/** Milliseconds for which a valid session is assumed to remain valid. */
const SESSION_TRUSTED_MS = 1_000;

interface RenderedDocument {
  readonly document: unknown;
  readonly text: string;
  readonly tookMs: number;
  readonly freshUntilMs: number;
}

interface CachedDocument {
  readonly rendering: Promise<RenderedDocument>;
  /** Null while the document is being created. */
  done: RenderedDocument | null;
}

const CACHED_MAX = 100;

interface Watcher {
  send(event: string, text: string): void;
}

/** Creates each document once for all users who watch it. */
export class LiveDocuments {
  readonly #desk: ServerDeps;
  readonly #topics: Topics;
  readonly #cached = new Map<string, CachedDocument>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #ending = new AbortController();

  constructor(deps: ServerDeps, topics: Topics) {
    this.#desk = deps;
    this.#topics = topics;
  }

  has(topic: string): boolean {
    return Object.hasOwn(this.#topics, topic.split(":")[0] ?? "");
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Ends every stream. */
  close(): void {
    this.#ending.abort();
  }

  /** Returns the document of a topic, at most a moment old. */
  async documentOf(topic: string): Promise<unknown> {
    return (await this.#renderIfOld(topic)).document;
  }

  /** Drops these documents after a user's change, which must be visible immediately. */
  invalidate(...topics: readonly string[]): void {
    for (const topic of topics) this.#cached.delete(topic);
  }

  /** Drops all documents of these kinds, after a change of many objects. */
  invalidateAll(...kinds: readonly string[]): void {
    const isOld = (topic: string) => kinds.includes(topic.split(":")[0] ?? "");
    this.invalidate(...this.#cached.keys().filter(isOld));
  }

  addWatcher(topic: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(topic);
    if (watchers) {
      watchers.add(watcher);
      void this.#sendTo(topic, [watcher]);
      return;
    }
    this.#watchers.set(topic, new Set([watcher]));
    void this.#keepUpToDate(topic);
  }

  removeWatcher(topic: string, watcher: Watcher): void {
    this.#watchers.get(topic)?.delete(watcher);
  }

  async #keepUpToDate(topic: string): Promise<void> {
    const { clock } = this.#desk;
    const watchers = this.#watchers.get(topic) ?? new Set();
    let told = "";
    while (watchers.size > 0 && !this.ending.aborted) {
      const made = await this.#renderOrNull(topic);
      if (made && made.text !== told) {
        told = made.text;
        for (const watcher of watchers) watcher.send(topic, told);
      }
      const restMs = (made?.freshUntilMs ?? 0) - clock.monotonicMs();
      await clock.sleep(made ? Math.max(restMs, 0) : STEP_MS, this.ending);
    }
    this.#watchers.delete(topic);
    this.#cached.delete(topic);
  }

  async #sendTo(topic: string, watchers: readonly Watcher[]): Promise<void> {
    const made = await this.#renderOrNull(topic);
    if (made) for (const watcher of watchers) watcher.send(topic, made.text);
  }

  /** Null: the document cannot be created now. The page then shows that its data is old. */
  async #renderOrNull(topic: string): Promise<RenderedDocument | null> {
    try {
      return await this.#renderIfOld(topic);
    } catch (error) {
      if (!(error instanceof Problem)) {
        this.#desk.log.warn({ err: error, topic }, "failed to create a live document");
      }
      return null;
    }
  }

  async #renderIfOld(topic: string): Promise<RenderedDocument> {
    const nowMs = this.#desk.clock.monotonicMs();
    const known = this.#cached.get(topic);
    if (known && (!known.done || nowMs < known.done.freshUntilMs)) return known.rendering;
    if (this.#cached.size > CACHED_MAX) {
      for (const [old, { done }] of this.#cached) {
        if (done && done.freshUntilMs < nowMs) this.#cached.delete(old);
      }
    }
    // A request that arrives meanwhile waits for the same document.
    const rendering = this.#render(topic, known?.done?.tookMs ?? ASSUMED_DURATION_MS);
    const kept: CachedDocument = { rendering, done: null };
    this.#cached.set(topic, kept);
    try {
      kept.done = await rendering;
      return kept.done;
    } catch (error) {
      if (this.#cached.get(topic) === kept) this.#cached.delete(topic);
      throw error;
    }
  }

  /** @param beforeMs duration of the previous creation, so that one slow run reduces no updates. */
  async #render(topic: string, beforeMs: number): Promise<RenderedDocument> {
    const { clock } = this.#desk;
    const [name = "", id = ""] = topic.split(":");
    const make = this.has(topic) ? this.#topics[name] : undefined;
    if (!make) throw new Problem("not_found", { detail: `There is no topic ${topic}.` });
    const startedMs = clock.monotonicMs();
    const document = await make(id, this.#desk);
    const endedMs = clock.monotonicMs();
    const tookMs = endedMs - startedMs;
    const restMs = Math.min(Math.max(STEP_MS, Math.min(tookMs, beforeMs) * SHARE), REST_MAX_MS);
    const freshUntilMs = endedMs + restMs;
    return { document, text: JSON.stringify(document), tookMs, freshUntilMs };
  }
}

/** Adds the API routes for server-sent events. */
export function liveRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  /** Number of open streams per session. */
  const streams = new Map<string, number>();
  app.addHook("preClose", async () => live.close());

  route(app, deps, "GET /api/live", async ({ query, person, request, reply }) => {
    const token = sessionToken(request, deps)?.token;
    if (!person.session || token === undefined) throw new Problem("people_only");
    const unknown = query.topics.find((topic) => !live.has(topic));
    if (unknown) throw new Problem("not_found", { detail: `There is no topic ${unknown}.` });
    const { id } = person.session;
    const open = streams.get(id) ?? 0;
    if (open >= STREAMS_MAX) throw new Problem("too_many_streams");
    streams.set(id, open + 1);
    const stream = openStream(reply);
    const gone = AbortSignal.any([stream.gone, live.ending]);
    const watcher = withSessionCheck(stream, token, deps);
    for (const topic of query.topics) live.addWatcher(topic, watcher);
    void keepAlive(watcher, gone, deps).finally(() => {
      for (const topic of query.topics) live.removeWatcher(topic, watcher);
      stream.end();
      const left = (streams.get(id) ?? 1) - 1;
      if (left > 0) streams.set(id, left);
      else streams.delete(id);
    });
    return reply;
  });
}

interface CheckedStream extends Watcher {
  /** Called at each heartbeat. Resolves to false if the stream has ended. */
  beat(): Promise<boolean>;
}

/** Sends nothing after the session has ended. Watching alone does not keep a session alive. */
function withSessionCheck(
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

async function keepAlive(
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

function openStream(reply: FastifyReply): Stream {
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
