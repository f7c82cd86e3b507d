import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import { eventDocument, eventId, readEventId } from "#flows/feed/event-document.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { type EventsWanted, findEvents, hasEvent } from "#ledger/feed/find-events.ts";
import { hasUnpublishedEvents, publishEvents } from "#ledger/feed/publish-events.ts";
import type { Database } from "#ledger/store/database.ts";

/** Milliseconds between two searches for events while a request waits for one. */
const SEARCH_EVERY_MS = 500;

/** Registers the route for the events of the ledger. */
export function eventRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/events", async ({ query }) => {
    const { after, type: types, batch: batchId, limit, wait } = query;
    const wanted = { after: await placeAfter(after, database), types, batchId, limit };
    const deadlineMs = clock.monotonicMs() + wait * 1_000;
    let page = await newestPage(database, wanted);
    while (page.events.length === 0 && !page.hasMore && clock.monotonicMs() < deadlineMs) {
      await clock.sleep(SEARCH_EVERY_MS);
      page = await newestPage(database, wanted);
    }
    return {
      items: page.events.map(eventDocument),
      next: page.last ? eventId(page.last) : (after ?? null),
      has_more: page.hasMore || page.hasUnpublished,
    };
  });
}

/**
 * Returns the next events, after those that were committed up to now got their numbers, and whether
 * some still have none, because they are many or another process is publishing them.
 */
async function newestPage(database: Database, wanted: EventsWanted) {
  await publishEvents(database);
  // Before the search, so that it finds all events that have left the queue.
  const hasUnpublished = await hasUnpublishedEvents(database);
  return { ...(await findEvents(database, wanted)), hasUnpublished };
}

/**
 * Returns the number of an event of which a consumer knows the ID.
 *
 * @throws Problem if this ledger does not have the event: the number may belong to another one.
 */
async function placeAfter(after: string | undefined, database: Database): Promise<number> {
  if (after === undefined) return 0;
  const id = readEventId(after);
  if (!id) {
    const places = [{ place: "query.after", message: "must be the ID of an event" }];
    throw new Problem("invalid_request", { places });
  }
  if (!(await hasEvent(database, id))) throw new Problem("event_unknown");
  return id.number;
}
