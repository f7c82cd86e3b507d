import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: "email" | "webhook";
  readonly target: string;
  readonly events: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
  /** True if a delivery fails repeatedly, or was given up and none has succeeded since. */
  readonly isFailing: boolean;
}

export interface NewChannel extends Pick<Channel, "id" | "name" | "kind" | "target" | "events"> {
  /** Secret with which messages are signed. Null: messages are not signed. */
  readonly secret: string | null;
  readonly actor: string;
  readonly at: Date;
}

/** Tries of a waiting delivery, over about an hour, after which its channel counts as failing. */
const FAILING_TRIES = 6;

const placeOf = (channelId: string): string => `channels.secret ${channelId}`;

/** Decrypts the signing secret of a channel. */
export const openSecret = (sealer: Sealer, channelId: string, sealed: Buffer): string =>
  sealer.open(sealed, placeOf(channelId));

/** Returns the channels that admins created, by name. */
export async function findChannels(database: Database): Promise<Channel[]> {
  const { rows } = await sql<Channel>`
    select c.id, c.name, c.kind, c.target, c.events, c.created_by as "createdBy", c.created_at as "createdAt",
      coalesce((select d.state = 'given_up' from deliveries d where d.channel_id = c.id and d.state <> 'waiting'
        order by d.updated_at desc limit 1), false)
      or exists (select from deliveries d where d.channel_id = c.id and d.state = 'waiting'
        and d.attempts >= ${FAILING_TRIES}) as "isFailing"
    from channels c where ended_at is null and user_id is null order by name, id`.execute(database);
  return rows;
}

/** Stores a notification channel, with its signing secret encrypted. */
export async function insertChannel(
  transaction: Database,
  sealer: Sealer,
  { secret, actor, at, ...channel }: NewChannel,
): Promise<void> {
  const { id, name, kind, target, events } = channel;
  const sealed = secret === null ? null : sealer.seal(secret, placeOf(id));
  await sql`
    insert into channels (id, name, kind, target, secret, events, created_by, last_event)
    values (${id}, ${name}, ${kind}, ${target}, ${sealed}, ${[...events]}, ${actor},
      case when ${kind}::text = 'webhook' then (select coalesce(max(number), 0) from events) end)`.execute(
    transaction,
  );
  await appendAudit(transaction, at, {
    actor,
    action: "create_channel",
    object: id,
    facts: { name, kind, target: auditedTarget(channel), events },
  });
}

/** The path of a webhook is often a secret, and the audit log is permanent. */
const auditedTarget = ({ kind, target }: Pick<Channel, "kind" | "target">): string =>
  kind === "webhook" ? new URL(target).origin : target;

type Settings = Pick<Channel, "name" | "target" | "events">;

/** Returns a digest of the settings. An edit names the version that the editor has seen. */
export const channelVersion = ({ name, target, events }: Settings): string =>
  createHash("sha256")
    .update(JSON.stringify([name, target, events]))
    .digest("hex")
    .slice(0, 16);

export interface ChannelEdit extends Omit<NewChannel, "secret"> {
  /** `channelVersion` of the settings that the editor has seen. */
  readonly version: string;
}

/**
 * Replaces the name, target and events of a channel. Its kind and its secret stay. A waiting
 * delivery goes to the new target. Returns "missing" if there is no such channel of this kind, and
 * "changed" if its settings are not those that the editor has seen.
 */
export async function editChannel(
  transaction: Database,
  { id, kind, version, actor, at, ...edited }: ChannelEdit,
): Promise<"edited" | "missing" | "changed"> {
  const { rows } = await sql<Settings>`
    select name, target, events
    from channels
    where id = ${id}
      and kind = ${kind}
      and ended_at is null
      and user_id is null
    for update`.execute(transaction);
  const [before] = rows;
  if (!before) return "missing";
  const { name, target, events } = edited;
  const after = { name, target, events };
  if (isDeepStrictEqual(before, after)) return "edited";
  if (channelVersion(before) !== version) return "changed";
  // Without the move, a webhook would receive earlier events of the types that the edit adds. While
  // events of its former types wait, the position stays, so that no event is lost.
  await sql`
    update channels
    set
      name = ${name},
      target = ${target},
      events = ${[...events]},
      last_event = case
        when exists (
          select from events
          where number > channels.last_event
            and type = any (channels.events)
        ) then last_event
        else greatest(last_event, (select max(number) from events))
      end
    where id = ${id}`.execute(transaction);
  const changed = (Object.keys(after) as (keyof Settings)[]).filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );
  const audited = (settings: Settings) => {
    const shown = { ...settings, target: auditedTarget({ ...settings, kind }) };
    return Object.fromEntries(changed.map((key) => [key, shown[key]]));
  };
  const facts = { name, before: audited(before), after: audited(after) };
  await appendAudit(transaction, at, { actor, action: "edit_channel", object: id, facts });
  return "edited";
}

/**
 * Ends a channel. No further notices are sent to it, and pending deliveries are given up. Returns
 * false if there is no such channel.
 */
export async function endChannel(
  transaction: Database,
  { id, actor, at }: Pick<NewChannel, "id" | "actor" | "at">,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    with
    ended_channels as (
      update channels
      set ended_at = now()
      where id = ${id}
        and ended_at is null
        and user_id is null
      returning id, name
    ),
    abandoned_deliveries as (
      update deliveries
      set state = 'given_up', answer = 'the channel was ended', updated_at = now()
      where state = 'waiting'
        and channel_id in (select id from ended_channels)
    )
    select name
    from ended_channels`.execute(transaction);
  const [ended] = rows;
  if (!ended) return false;
  await appendAudit(transaction, at, { actor, action: "delete_channel", object: id, facts: ended });
  return true;
}

/** Sends a test notice to this channel only. Returns false if there is no such channel. */
export async function sendTestNotice(
  database: Database,
  channelId: string,
  noticeId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with channel as (select id from channels where id = ${channelId} and ended_at is null and user_id is null),
    notice as (
      insert into notices (id, key, event, object, facts)
      select ${noticeId}, 'test ' || ${noticeId}, 'test', id, '{}' from channel returning id
    )
    insert into deliveries (notice_id, channel_id) select notice.id, channel.id from notice, channel
    returning notice_id`.execute(database);
  return rows.length > 0;
}
