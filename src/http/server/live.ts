import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { sessionToken } from "#http/server/person.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { keepAlive, openStream, type Watcher, withSessionCheck } from "#http/server/live-stream.ts";

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
/** Maximum number of live streams per session. A browser with many tabs shares them. */
const STREAMS_MAX = 10;

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

/** Creates each document once for all users who watch it. */
export class LiveDocuments {
  readonly #desk: ServerDeps;
  readonly #topics: Topics;
  readonly #cached = new Map<string, CachedDocument>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Ends the rest between two versions of a watched document. */
  readonly #wakers = new Map<string, AbortController>();
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
    for (const topic of topics) {
      this.#cached.delete(topic);
      this.#wakers.get(topic)?.abort();
    }
  }

  /** Drops all documents of these kinds, after a change of many objects. */
  invalidateAll(...kinds: readonly string[]): void {
    const isOld = (topic: string) => kinds.includes(topic.split(":")[0] ?? "");
    this.invalidate(...this.#cached.keys().filter(isOld));
  }

  /** Drops everything that shows the state of a batch, after a user's change to the batch. */
  invalidateBatch(batchId: string): void {
    this.invalidate(`batch:${batchId}`, `unsent:${batchId}`);
    this.invalidateAll("payout");
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
      const waker = new AbortController();
      this.#wakers.set(topic, waker);
      const made = await this.#renderOrNull(topic);
      if (made && made.text !== told) {
        told = made.text;
        for (const watcher of watchers) watcher.send(topic, told);
      }
      const restMs = (made?.freshUntilMs ?? 0) - clock.monotonicMs();
      const isDue = AbortSignal.any([this.ending, waker.signal]);
      await clock.sleep(made ? Math.max(restMs, 0) : STEP_MS, isDue);
    }
    this.#wakers.delete(topic);
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

  /**
   * A document that a user's change drops while it is created shows the data before the change. The
   * second one was begun after this call, so it contains every change that the caller knows of.
   */
  async #renderIfOld(topic: string): Promise<RenderedDocument> {
    const kept = this.#current(topic);
    const made = await kept.rendering;
    return this.#cached.get(topic) === kept ? made : this.#current(topic).rendering;
  }

  /** Returns the fresh document of a topic, or starts to create it. */
  #current(topic: string): CachedDocument {
    const nowMs = this.#desk.clock.monotonicMs();
    const known = this.#cached.get(topic);
    // A request that arrives meanwhile waits for the same document.
    if (known && (!known.done || nowMs < known.done.freshUntilMs)) return known;
    if (this.#cached.size > CACHED_MAX) {
      for (const [old, { done }] of this.#cached) {
        if (done && done.freshUntilMs < nowMs) this.#cached.delete(old);
      }
    }
    const rendering = this.#render(topic, known?.done?.tookMs ?? ASSUMED_DURATION_MS);
    const kept: CachedDocument = { rendering, done: null };
    this.#cached.set(topic, kept);
    void this.#keep(topic, kept);
    return kept;
  }

  async #keep(topic: string, kept: CachedDocument): Promise<void> {
    try {
      kept.done = await kept.rendering;
    } catch {
      if (this.#cached.get(topic) === kept) this.#cached.delete(topic);
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
