import type { FastifyInstance, FastifyReply } from "fastify";
import { batchView } from "#http/batch-view.ts";
import type { Desk } from "#http/desk.ts";
import { homeView } from "#http/home-view.ts";
import { payoutView } from "#http/payout-view.ts";
import { lookOver } from "#http/overview.ts";
import { sessionToken } from "#http/person.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { findSession } from "#ledger/people/sessions.ts";
import { isAlive } from "#people/session.ts";

/** What can be watched: how the document of a topic is made, from what stands behind the colon of its name. */
const TOPICS: Readonly<Record<string, (id: string, desk: Desk) => Promise<unknown>>> = {
  batch: batchView,
  home: homeView,
  payout: payoutView,
  operations: (_id, desk) => lookOver(desk),
};

/** A document is made at most so often, however many people look at it, ... */
const STEP_MS = 1_000;
/** ... and takes at most one part in so many of the server's time: a large batch is counted less often. */
const SHARE = 20;
const HEARTBEAT_MS = 15_000;
/** Whoever reads slower than this is cut off, and comes back by themselves. */
const UNREAD_BYTES_MAX = 1_000_000;

interface Made {
  readonly document: unknown;
  readonly text: string;
  readonly freshUntilMs: number;
}

interface Kept {
  /** Never, while it is being made. */
  freshUntilMs: number;
  readonly made: Promise<Made>;
}

const KEPT_MAX = 100;

interface Watcher {
  tell(event: string, text: string): void;
}

/** The documents that many people look at at once, each made once for all of them. */
export class Live {
  readonly #desk: Desk;
  readonly #kept = new Map<string, Kept>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #ending = new AbortController();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Ends every stream. */
  close(): void {
    this.#ending.abort();
  }

  /** The document of a topic, at most a moment old. */
  async look(topic: string): Promise<unknown> {
    return (await this.#fresh(topic)).document;
  }

  /** Somebody has changed what a topic shows, and must see it at once. */
  forget(topic: string): void {
    this.#kept.delete(topic);
  }

  watch(topic: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(topic);
    if (watchers) {
      watchers.add(watcher);
      void this.#tell(topic, [watcher]);
      return;
    }
    this.#watchers.set(topic, new Set([watcher]));
    void this.#follow(topic);
  }

  leave(topic: string, watcher: Watcher): void {
    this.#watchers.get(topic)?.delete(watcher);
  }

  async #follow(topic: string): Promise<void> {
    const { clock } = this.#desk;
    const watchers = this.#watchers.get(topic) ?? new Set();
    let told = "";
    while (watchers.size > 0 && !this.ending.aborted) {
      const made = await this.#quietly(topic);
      if (made && made.text !== told) {
        told = made.text;
        for (const watcher of watchers) watcher.tell(topic, told);
      }
      const restMs = (made?.freshUntilMs ?? 0) - clock.monotonicMs();
      await clock.sleep(made ? Math.max(restMs, 0) : STEP_MS, this.ending);
    }
    this.#watchers.delete(topic);
    this.#kept.delete(topic);
  }

  async #tell(topic: string, watchers: readonly Watcher[]): Promise<void> {
    const made = await this.#quietly(topic);
    if (made) for (const watcher of watchers) watcher.tell(topic, made.text);
  }

  /** Null: it cannot be made now; a page shows that what it has is old. */
  async #quietly(topic: string): Promise<Made | null> {
    try {
      return await this.#fresh(topic);
    } catch (error) {
      if (!(error instanceof Problem))
        this.#desk.log.warn({ err: error, topic }, "no live document");
      return null;
    }
  }

  async #fresh(topic: string): Promise<Made> {
    const nowMs = this.#desk.clock.monotonicMs();
    const known = this.#kept.get(topic);
    if (known && nowMs < known.freshUntilMs) return known.made;
    if (this.#kept.size > KEPT_MAX) {
      for (const [old, { freshUntilMs }] of this.#kept) {
        if (freshUntilMs < nowMs) this.#kept.delete(old);
      }
    }
    // Whoever asks while it is being made waits for the same one.
    const kept: Kept = { freshUntilMs: Infinity, made: this.#make(topic) };
    this.#kept.set(topic, kept);
    try {
      const made = await kept.made;
      kept.freshUntilMs = made.freshUntilMs;
      return made;
    } catch (error) {
      if (this.#kept.get(topic) === kept) this.#kept.delete(topic);
      throw error;
    }
  }

  async #make(topic: string): Promise<Made> {
    const { clock } = this.#desk;
    const [name = "", id = ""] = topic.split(":");
    const make = TOPICS[name];
    if (!make) throw new Problem("not_found", { detail: `There is no topic ${topic}.` });
    const startedMs = clock.monotonicMs();
    const document = await make(id, this.#desk);
    const endedMs = clock.monotonicMs();
    const freshUntilMs = endedMs + Math.max(STEP_MS, (endedMs - startedMs) * SHARE);
    return { document, text: JSON.stringify(document), freshUntilMs };
  }
}

export function liveRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  app.addHook("preClose", async () => live.close());

  route(app, desk, "GET /api/live", async ({ query, person, request, reply }) => {
    const token = sessionToken(request)?.token;
    if (!person.session || token === undefined) throw new Problem("people_only");
    const unknown = query.topics.find((topic) => !TOPICS[topic.split(":")[0] ?? ""]);
    if (unknown) throw new Problem("not_found", { detail: `There is no topic ${unknown}.` });
    const stream = openStream(reply);
    const gone = AbortSignal.any([stream.gone, live.ending]);
    for (const topic of query.topics) live.watch(topic, stream);
    void keepAlive(token, stream, gone, desk).finally(() => {
      for (const topic of query.topics) live.leave(topic, stream);
      stream.end();
    });
    return reply;
  });
}

/** The stream ends with the session; watching alone keeps no session alive. */
async function keepAlive(
  token: string,
  stream: Stream,
  gone: AbortSignal,
  { clock, database }: Desk,
): Promise<void> {
  for (;;) {
    await clock.sleep(HEARTBEAT_MS, gone);
    if (gone.aborted) return;
    const session = await findSession(database, token).catch(() => null);
    const stands = session && !session.user.isDisabled && isAlive(session, clock.nowMs());
    if (!stands) return stream.tell("signed_out", "{}");
    stream.beat();
  }
}

interface Stream extends Watcher {
  readonly gone: AbortSignal;
  beat(): void;
  end(): void;
}

let eventId = 0;

function openStream(reply: FastifyReply): Stream {
  const gone = new AbortController();
  const headers = {
    ...reply.getHeaders(),
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
  } as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers);
  raw.on("close", () => gone.abort());
  raw.on("error", () => gone.abort());
  const write = (text: string) => {
    if (gone.signal.aborted) return;
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  write("retry: 2000\n\n");
  return {
    gone: gone.signal,
    tell: (event, text) => write(`id: ${(eventId += 1)}\nevent: ${event}\ndata: ${text}\n\n`),
    beat: () => write(": alive\n\n"),
    end: () => raw.end(),
  };
}
