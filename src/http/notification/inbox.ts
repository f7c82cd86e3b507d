import type { FastifyInstance } from "fastify";
import { route } from "#http/server/routes.ts";
import { countUnreadNotices, findInbox, markNoticesRead } from "#ledger/notification/inbox.ts";
import { inboxEntry } from "#notification/events.ts";
import type { EventName } from "#notification/messages.ts";
import type { ServerDeps } from "#views/deps.ts";

const NOTICES_MAX = 50;

/** Adds the API routes for a user's own notifications. */
export function inboxRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer } = deps;

  route(app, deps, "GET /api/inbox", async ({ person: { id: userId } }) => {
    const [notices, unread] = await Promise.all([
      findInbox(database, sealer, userId, NOTICES_MAX),
      countUnreadNotices(database, userId),
    ]);
    const items = notices.map(({ isRead, ...notice }) => {
      const event = notice.event as EventName;
      return {
        notice_id: notice.id,
        event,
        ...inboxEntry({ ...notice, event }),
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
