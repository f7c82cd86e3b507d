import { eventParts } from "#flows/feed/event-document.ts";
import type { NotifyDeps } from "#flows/notification/notify.ts";
import type { FeedEvent } from "#ledger/feed/find-events.ts";
import type { FeedWebhook, FirstDelivery } from "#ledger/feed/webhook-positions.ts";
import { deliveryRetryMs, noticeDocument } from "#notification/events.ts";
import { postWebhook } from "#notification/webhook.ts";
import { FEED_EVENTS } from "#operations/feed-events.ts";
import { PAYOUT_DOUBT_MAX_MS } from "#operations/alarms.ts";

/** Events that a webhook receives at once. */
const AT_ONCE = 16;
/** Milliseconds after which a round ends, so that other webhooks get their turn. */
const ROUND_MS = 3_000;

export type DeliverDeps = Pick<NotifyDeps, "ledger" | "clock" | "webhooks" | "dashboardUrl">;

/**
 * Runs one round: publishes the events of the ledger, and sends each webhook those that follow its
 * position. An event that cannot be delivered is retried until the webhook ends, and the position
 * moves on until several wait. A crash between sending and recording delivers events twice, under
 * the same IDs.
 *
 * @returns whether a webhook has further events.
 */
export async function deliverEvents(deps: DeliverDeps): Promise<boolean> {
  const { ledger } = deps;
  while ((await ledger.feed.publishEvents()) > 0);
  const webhooks = await ledger.feed.findFeedWebhooks(FEED_EVENTS);
  // The caller's lock must last until all rounds have ended.
  const rounds = await Promise.allSettled(webhooks.map((webhook) => deliverTo(webhook, deps)));
  const failed = rounds.find((round) => round.status === "rejected");
  if (failed) throw failed.reason;
  return rounds.some((round) => round.status === "fulfilled" && round.value);
}

/** Queues the events of payouts that have been in doubt for too long. */
export const queueInDoubt = ({ ledger }: DeliverDeps): Promise<void> =>
  ledger.feed.queueInDoubtEvents(PAYOUT_DOUBT_MAX_MS);

async function deliverTo(webhook: FeedWebhook, deps: DeliverDeps): Promise<boolean> {
  const { ledger, clock } = deps;
  const endMs = clock.monotonicMs() + ROUND_MS;
  let after = webhook.lastEvent;
  while (clock.monotonicMs() < endMs) {
    const { types } = webhook;
    const page = await ledger.feed.findEvents({ after, types, limit: AT_ONCE });
    if (!page.last) return false;
    const sent = await Promise.all(page.events.map((event) => send(event, webhook, deps)));
    after = page.last.number;
    const place = { id: webhook.id, lastEvent: after };
    await ledger.feed.recordFirstDeliveries(place, sent, deliveryRetryMs(1));
    if (!page.hasMore || sent.some(({ ok }) => !ok)) return false;
  }
  return true;
}

async function send(
  event: FeedEvent,
  { id: channelId, target, secret }: FeedWebhook,
  deps: DeliverDeps,
): Promise<FirstDelivery> {
  const parts = eventParts(event);
  const message = {
    id: parts.id,
    atSeconds: Math.floor(deps.clock.nowMs() / 1_000),
    body: JSON.stringify(noticeDocument(parts, deps.dashboardUrl)),
    secret: secret ? deps.ledger.notification.openSecret(channelId, secret) : "",
  };
  const { ok, says } = await postWebhook(target, message, deps.webhooks);
  const { id, event: type, object, facts, at } = parts;
  return { id, type, object, facts, at, ok, answer: says };
}
