import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import { notifyOfDuplicates } from "#flows/notification/notify-duplicates.ts";
import { createPeopleNotices } from "#flows/notification/notify-people.ts";
import type { DueDelivery } from "#ledger/notification/notices.ts";
import {
  noticeDocument,
  eventMail,
  DELIVERY_TRIES_MAX,
  deliveryRetryMs,
} from "#notification/events.ts";
import type { Mailer } from "#notification/mail.ts";
import type { EventName } from "#notification/messages.ts";
import { postWebhook, type DeliveryResult, type WebhookOptions } from "#notification/webhook.ts";

export interface NotifyDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Clock;
  /** Returns the alarms that people on call should know now. */
  readonly alarms: () => Promise<readonly { readonly code: string; readonly says: string }[]>;
  /** Null: no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly webhooks: WebhookOptions;
  /** Address of the dashboard, for links. Null: not known. */
  readonly dashboardUrl: string | null;
}

const AT_ONCE = 8;
const LEASE_MS = 120_000;

/**
 * Runs one round: finds facts to report, and sends the deliveries that are due. A crash between
 * sending and recording delivers a fact twice, under the same ID; no fact is lost.
 *
 * @returns the number of attempted deliveries, at most `AT_ONCE`. Call it again until it returns 0.
 */
export async function notify(deps: NotifyDeps): Promise<number> {
  const { ledger, alarms, clock } = deps;
  const canMail = deps.mailer !== null;
  await ledger.notification.createBatchNotices({ canMail });
  await ledger.notification.createReturnNotices({ canMail });
  await ledger.notification.createCommentNotices({ canMail });
  await ledger.notification.createBreakCommentNotices({ canMail });
  await ledger.notification.createAssignmentMails({ canMail });
  await ledger.notification.createDayNotices();
  await ledger.notification.createAlarmNotices(await alarms());
  let tried = 0;
  try {
    await ledger.notification.createAuditHashNotice();
    await createPeopleNotices(ledger, { canMail });
    await notifyOfDuplicates(ledger, { canMail, at: new Date(clock.nowMs()) });
  } finally {
    // An audit line that cannot be read does not hold up messages about money.
    tried = await deliverDue(deps);
  }
  return tried;
}

async function deliverDue(deps: NotifyDeps): Promise<number> {
  const due = await deps.ledger.notification.claimDeliveries({
    sizeMax: AT_ONCE,
    leaseMs: LEASE_MS,
  });
  await Promise.all(due.map((delivery) => deliver(delivery, deps)));
  return due.length;
}

async function deliver(delivery: DueDelivery, deps: NotifyDeps): Promise<void> {
  const { ok, says } = await attempt(delivery, deps);
  const { attempts, isFeedEvent } = delivery;
  const isLast = attempts >= DELIVERY_TRIES_MAX && !isFeedEvent;
  const retryAfterMs = isLast ? null : deliveryRetryMs(attempts);
  await deps.ledger.notification.recordDelivery(delivery, { ok, says, retryAfterMs });
}

async function attempt(delivery: DueDelivery, deps: NotifyDeps): Promise<DeliveryResult> {
  const { noticeId: id, channelId, kind, target, secret, object, facts, at, userId } = delivery;
  const notice = { id, event: delivery.event as EventName, object, facts, at };
  if (kind === "email") {
    if (!deps.mailer) return { ok: false, says: "no mail server is configured: set SMTP_URL" };
    return deps.mailer.send(target, { ...eventMail(notice, deps.dashboardUrl, userId), id });
  }
  const body = JSON.stringify(noticeDocument(notice, deps.dashboardUrl));
  const atSeconds = Math.floor(deps.clock.nowMs() / 1_000);
  const key = secret ? deps.ledger.notification.openSecret(channelId, secret) : "";
  return postWebhook(target, { id, atSeconds, body, secret: key }, deps.webhooks);
}
