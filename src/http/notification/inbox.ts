import type { FastifyInstance } from "fastify";
import { BATCH_STATES, type BatchState } from "#intake/batch/batch-lifecycle.ts";
import { route } from "#http/server/routes.ts";
import { countUnreadNotices, findInbox, markNoticesRead } from "#ledger/notification/inbox.ts";
import { inboxEntry } from "#notification/events.ts";
import type { EventName } from "#notification/messages.ts";
import type { ServerDeps } from "#views/deps.ts";

const NOTICES_MAX = 50;

/** Says that the reader need not decide a request. */
const decidedText = (state: BatchState | null): string =>
  `You do not need to decide.${state === null ? "" : ` The state of the batch is “${BATCH_STATES[state].word}”.`}`;

/** Adds the API routes for a user's own notifications. */
export function inboxRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer } = deps;

  route(app, deps, "GET /api/inbox", async ({ person: { id: userId } }) => {
    const [notices, unread] = await Promise.all([
      findInbox(database, sealer, userId, NOTICES_MAX),
      countUnreadNotices(database, userId),
    ]);
    const items = notices.map(({ isRead, isDecided, batchState, ...notice }) => {
      const event = notice.event as EventName;
      const entry = inboxEntry({ ...notice, event });
      return {
        notice_id: notice.id,
        event,
        ...entry,
        detail: isDecided ? decidedText(batchState) : entry.detail,
        at: notice.at.toISOString(),
        is_read: isRead,
      };
    });
    return { items, unread };
  });

  route(app, deps, "POST /api/inbox/read", async ({ body, person: { id: userId } }) => {
    await markNoticesRead(database, userId, body.notice_ids);
  });
}
