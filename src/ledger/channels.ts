import { sql } from "kysely";
import { appendAudit } from "#ledger/audit.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: "email" | "webhook";
  readonly target: string;
  readonly events: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Its last delivery was given up, and none has arrived since. */
  readonly isFailing: boolean;
}

export interface NewChannel extends Pick<Channel, "id" | "name" | "kind" | "target" | "events"> {
  /** What its messages are signed with; null: they are not. */
  readonly secret: string | null;
  readonly actor: string;
  readonly at: Date;
}

const placeOf = (channelId: string): string => `channels.secret ${channelId}`;

export const openSecret = (sealer: Sealer, channelId: string, sealed: Buffer): string =>
  sealer.open(sealed, placeOf(channelId));

/** The channels that are told, by name. */
export async function channels(database: Database): Promise<Channel[]> {
  const { rows } = await sql<Channel>`
    select c.id, c.name, c.kind, c.target, c.events, c.created_by as "createdBy", c.created_at as "createdAt",
      coalesce((select d.state = 'given_up' from deliveries d where d.channel_id = c.id and d.state <> 'waiting'
        order by d.updated_at desc limit 1), false) as "isFailing"
    from channels c where ended_at is null order by name, id`.execute(database);
  return rows;
}

export async function insertChannel(
  transaction: Database,
  sealer: Sealer,
  { secret, actor, at, ...channel }: NewChannel,
): Promise<void> {
  const { id, name, kind, target, events } = channel;
  const sealed = secret === null ? null : sealer.seal(secret, placeOf(id));
  await sql`
    insert into channels (id, name, kind, target, secret, events, created_by)
    values (${id}, ${name}, ${kind}, ${target}, ${sealed}, ${[...events]}, ${actor})`.execute(
    transaction,
  );
  // The path of a webhook is often a secret, and the log is for ever.
  const shown = kind === "webhook" ? new URL(target).origin : target;
  await appendAudit(transaction, at, {
    actor,
    action: "make_channel",
    object: id,
    facts: { name, kind, target: shown, events },
  });
}

/** Nothing more is told to it; what waits for it is given up. False: there is no such channel. */
export async function endChannel(
  transaction: Database,
  { id, actor, at }: Pick<NewChannel, "id" | "actor" | "at">,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    with ended as (update channels set ended_at = now() where id = ${id} and ended_at is null returning id, name),
    left_over as (
      update deliveries set state = 'given_up', answer = 'the channel was ended', updated_at = now()
      where state = 'waiting' and channel_id in (select id from ended)
    )
    select name from ended`.execute(transaction);
  const [ended] = rows;
  if (!ended) return false;
  await appendAudit(transaction, at, { actor, action: "end_channel", object: id, facts: ended });
  return true;
}

/** A notice to this channel alone. False: there is no such channel. */
export async function tellTest(
  database: Database,
  channelId: string,
  noticeId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with channel as (select id from channels where id = ${channelId} and ended_at is null),
    notice as (
      insert into notices (id, key, event, object, facts)
      select ${noticeId}, 'test ' || ${noticeId}, 'test', id, '{}' from channel returning id
    )
    insert into deliveries (notice_id, channel_id) select notice.id, channel.id from notice, channel
    returning notice_id`.execute(database);
  return rows.length > 0;
}
