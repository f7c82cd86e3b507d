import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { newId } from "#base/ids.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type Channel,
  channelVersion,
  editChannel,
  findChannels,
  endChannel,
  insertChannel,
  sendTestNotice,
} from "#ledger/notification/channels.ts";
import {
  findDeliveredNotice,
  findDeliveries,
  findDeliveryAttempts,
  replayDelivery,
} from "#ledger/notification/deliveries.ts";
import { exampleDocument, groupOf } from "#notification/event-groups.ts";
import { EVENT_NAMES, eventSays, noticeDocument } from "#notification/events.ts";
import type { EventName } from "#notification/messages.ts";
import { splitAnswer, whyAddressRefused } from "#notification/webhook.ts";

const LOG_LINES = 200;

/** Adds the API routes for notification channels. */
export function channelRoutes(app: FastifyInstance, deps: ServerDeps): void {
  testRoute(app, deps);
  const { database, sealer, clock, config } = deps;
  const now = () => new Date(clock.nowMs());

  route(app, deps, "GET /api/channels", async () => ({
    items: (await findChannels(database)).map(shown),
    events: EVENT_NAMES.filter((event) => event !== "test").map((event) => ({
      event,
      says: eventSays(event),
      group: groupOf(event),
      example: exampleDocument(event, null),
    })),
    can_mail: config.SMTP_URL !== undefined,
  }));

  const whyRefused = (target: string) =>
    whyAddressRefused(target, { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE });

  route(app, deps, "POST /api/channels/check", async ({ body }) => ({
    why_not: whyRefused(body.target),
  }));

  const checkTarget = ({ kind, target }: Pick<Channel, "kind" | "target">): void => {
    const refusal = kind === "webhook" ? whyRefused(target) : null;
    if (refusal !== null) {
      throw new Problem("address_not_allowed", {
        detail: `Messages cannot be sent to ${target}: ${refusal}.`,
      });
    }
  };
  const one = async (id: string) => {
    const found = (await findChannels(database)).find((channel) => channel.id === id);
    if (!found) throw new Problem("not_found");
    return shown(found);
  };

  route(app, deps, "POST /api/channels", async ({ body, person: { actor } }) => {
    checkTarget(body);
    const id = newId("CH");
    const secret = body.kind === "webhook" ? `whsec_${randomBytes(32).toString("base64")}` : null;
    await database
      .transaction()
      .execute((transaction) =>
        insertChannel(transaction, sealer, { ...body, id, secret, actor, at: now() }),
      );
    return { channel: await one(id), secret };
  });

  route(app, deps, "PUT /api/channels/:id", async ({ params: { id }, body, person: { actor } }) => {
    checkTarget(body);
    const result = await database
      .transaction()
      .execute((transaction) => editChannel(transaction, { ...body, id, actor, at: now() }));
    if (result === "missing") throw new Problem("not_found");
    if (result === "changed") throw new Problem("content_changed", { detail: CHANGED_MEANWHILE });
    return one(id);
  });

  route(app, deps, "DELETE /api/channels/:id", async ({ params: { id }, person: { actor } }) => {
    const ended = await database
      .transaction()
      .execute((transaction) => endChannel(transaction, { id, actor, at: now() }));
    if (!ended) throw new Problem("not_found");
  });
}

function testRoute(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;
  route(app, deps, "POST /api/channels/:id/test", async ({ params: { id }, person: { actor } }) => {
    const isTold = await database.transaction().execute(async (transaction) => {
      const told = await sendTestNotice(transaction, id, newId("N"));
      const line: AuditLine = { actor, action: "test_channel", object: id, facts: {} };
      if (told) await appendAudit(transaction, new Date(clock.nowMs()), line);
      return told;
    });
    if (!isTold) throw new Problem("not_found");
  });
}

const CHANGED_MEANWHILE =
  "Another user changed this channel after you loaded it. No changes were made. Load it again, then repeat your changes.";

const shown = ({ createdBy, createdAt, isFailing, events, ...channel }: Channel) => ({
  ...channel,
  events: events as EventName[],
  created_by: createdBy,
  created_at: createdAt.toISOString(),
  is_failing: isFailing,
  version: channelVersion({ ...channel, events }),
});

/** Returns a stored answer as its status and the beginning of its body. */
function answerParts(stored: string) {
  const { status, body } = splitAnswer(stored);
  return { answer: status, answer_body: body || null };
}

/** The address in the links of notifications, as in the workers. */
const dashboardUrl = ({ PUBLIC_URL }: ServerDeps["config"]): string | null =>
  PUBLIC_URL?.replace(/\/+$/, "") ?? null;

/** Adds the API routes for the deliveries of notifications. */
export function deliveryRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer, clock, config } = deps;

  route(app, deps, "GET /api/deliveries/:notice_id/:channel_id", async ({ params }) => {
    const { notice_id: noticeId, channel_id: channelId } = params;
    const notice = await findDeliveredNotice(database, sealer, { noticeId, channelId });
    if (!notice) throw new Problem("not_found");
    const { kind, event, ...rest } = notice;
    const sent = { ...rest, id: noticeId, event: event as EventName };
    const attempts = await findDeliveryAttempts(database, { noticeId, channelId });
    return {
      payload: kind === "webhook" ? noticeDocument(sent, dashboardUrl(config)) : null,
      attempts: attempts.map(({ at, delivered, answer }) => ({
        at: at.toISOString(),
        delivered,
        ...answerParts(answer),
      })),
    };
  });

  route(app, deps, "GET /api/deliveries", async () => ({
    items: (await findDeliveries(database, LOG_LINES)).map((line) => ({
      notice_id: line.noticeId,
      channel_id: line.channelId,
      channel: line.channel,
      event: line.event as EventName,
      object: line.object,
      at: line.at.toISOString(),
      state: line.state,
      attempts: line.attempts,
      due_at: line.state === "waiting" ? line.dueAt.toISOString() : null,
      ...(line.answer === null ? { answer: null, answer_body: null } : answerParts(line.answer)),
      updated_at: line.updatedAt.toISOString(),
    })),
  }));

  route(app, deps, "POST /api/deliveries/replay", async ({ body, person: { actor } }) => {
    const { notice_id: noticeId, channel_id: channelId } = body;
    const isReplayed = await database.transaction().execute(async (transaction) => {
      const replayed = await replayDelivery(transaction, { noticeId, channelId });
      if (replayed) {
        const line: AuditLine = {
          actor,
          action: "replay_delivery",
          object: channelId,
          facts: { notice_id: noticeId },
        };
        await appendAudit(transaction, new Date(clock.nowMs()), line);
      }
      return replayed;
    });
    if (!isReplayed) throw new Problem("not_found");
  });
}
