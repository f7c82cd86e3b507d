import type { FeedEvent } from "#ledger/feed/find-events.ts";
import { formatMoney } from "#money/format.ts";
import type { FeedEventName } from "#operations/feed-events.ts";
import { reasonCode } from "#payout/reasons.ts";

type EventPlace = Pick<FeedEvent, "number" | "tag">;

/** Returns the ID of an event, which is also the place in the list after it. */
export const eventId = ({ number, tag }: EventPlace): string => `${number}-${tag}`;

const EVENT_ID = /^([1-9]\d{0,14})-([0-9a-f]{8})$/;

/** Reads the ID of an event. Null: it is not one. */
export function readEventId(text: string): EventPlace | null {
  const [, number, tag] = EVENT_ID.exec(text) ?? [];
  return number === undefined || tag === undefined ? null : { number: Number(number), tag };
}

/** Returns the parts of an event that a consumer sees. A batch without valid rows has no totals. */
export function eventParts(event: FeedEvent) {
  const { batchId, batch, payout, break: found, day } = event;
  const type = event.type as FeedEventName;
  return {
    id: eventId(event),
    event: type,
    object: payout?.code ?? batchId ?? (day ? `${day.lane} ${day.day}` : String(found?.id)),
    at: event.at,
    facts: {
      batch_id: batchId,
      ...(payout && { payout: payoutFacts(payout) }),
      ...(batch && { batch: { state: type.replace(/^batch_/, ""), ...batch } }),
      ...(found && { break: found }),
      ...(day && { day: dayFacts(day) }),
    },
  };
}

const dayFacts = ({ causeObject, ...day }: NonNullable<FeedEvent["day"]>) => ({
  ...day,
  cause_object: causeObject,
});

/** Leaves out the gateway's text in the reason: it may name the beneficiary. */
function payoutFacts({ reason, minor, minorDigits, gatewayNumber, ...payout }: Payout) {
  const money = { currency: payout.currency, minor: BigInt(minor), minorDigits };
  return {
    ...payout,
    reason: reasonCode(reason),
    amount: formatMoney(money),
    gateway_number: gatewayNumber,
  };
}
type Payout = NonNullable<FeedEvent["payout"]>;

/** Returns the document of an event. A webhook gets the same, with a link. */
export function eventDocument(event: FeedEvent) {
  const { id, event: type, object, at, facts } = eventParts(event);
  return { id, type, timestamp: at.toISOString(), data: { object, ...facts } };
}
