import type { Clock } from "#clock.ts";
import { openSecret } from "#ledger/channels.ts";
import type { Database } from "#ledger/database.ts";
import {
  type DueDelivery,
  endDelivery,
  noticeAlarms,
  noticeAuditHead,
  noticeBatches,
  takeDeliveries,
} from "#ledger/notices.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { documentOf, type EventName, mailOf, TRIES_MAX, waitAfter } from "#notices/events.ts";
import type { Mailer } from "#notices/mail.ts";
import { postWebhook, type Tried, type WebhookOptions } from "#notices/webhook.ts";

export interface NotifyDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** What people on call should know of now. */
  readonly alarms: () => Promise<readonly { readonly code: string; readonly says: string }[]>;
  /** Null: no mail server is set. */
  readonly mailer: Mailer | null;
  readonly webhooks: WebhookOptions;
  /** Where people reach the desk, for links; null: it is not known. */
  readonly deskUrl: string | null;
}

const AT_ONCE = 8;
const LEASE_MS = 120_000;

/**
 * One round: finds what has to be told, and sends what is due. A crash between sending and keeping tells a fact twice,
 * under the same id; nothing is left out.
 *
 * @returns how many deliveries were tried; at most `AT_ONCE`, so ask again while it is more than none.
 */
export async function notify(deps: NotifyDeps): Promise<number> {
  const { database, alarms } = deps;
  await noticeBatches(database);
  await noticeAlarms(database, await alarms());
  await noticeAuditHead(database);
  const due = await takeDeliveries(database, { sizeMax: AT_ONCE, leaseMs: LEASE_MS });
  await Promise.all(due.map((delivery) => deliver(delivery, deps)));
  return due.length;
}

async function deliver(delivery: DueDelivery, deps: NotifyDeps): Promise<void> {
  const { ok, says } = await attempt(delivery, deps);
  const { tries } = delivery;
  const retryAfterMs = tries < TRIES_MAX ? waitAfter(tries) : null;
  await endDelivery(deps.database, delivery, { ok, says, retryAfterMs });
}

async function attempt(delivery: DueDelivery, deps: NotifyDeps): Promise<Tried> {
  const { noticeId: id, channelId, kind, target, secret, object, facts, at } = delivery;
  const notice = { id, event: delivery.event as EventName, object, facts, at };
  if (kind === "email") {
    if (!deps.mailer) return { ok: false, says: "no mail server is set: SMTP_URL" };
    return deps.mailer.send(target, { ...mailOf(notice, deps.deskUrl), id });
  }
  const body = JSON.stringify(documentOf(notice, deps.deskUrl));
  const atSeconds = Math.floor(deps.clock.nowMs() / 1_000);
  const key = secret ? openSecret(deps.sealer, channelId, secret) : "";
  return postWebhook(target, { id, atSeconds, body, secret: key }, deps.webhooks);
}
