import { peopleMail, peoplePage } from "#notices/people.ts";

/** The events that channels can receive. Programs depend on the names, so they never change. */
// biome-ignore format: the columns are the point
export const EVENTS = {
  batch_awaiting_approval:       { says: "A batch is waiting for approval" },
  batch_sent_back:   { says: "A batch was sent back to its uploader" },
  batch_approved:    { says: "A batch was approved" },
  batch_held_back:   { says: "A batch was held back at its send time: a person must decide" },
  schedule_missed:   { says: "A schedule created no batch at its time: a person must decide" },
  batch_paused:      { says: "A batch was paused" },
  batch_finished:    { says: "A batch is finished: every payout is settled" },
  batch_finished_with_exceptions: { says: "A batch is finished with exceptions: not every payout is settled" },
  batch_cancelled:   { says: "A batch was cancelled" },
  alarm_raised:      { says: "An alarm needs attention, for example payouts in doubt for too long, a stopped lane or a frozen ledger" },
  alarm_ended:       { says: "An alarm has ended" },
  people:            { says: "Users, API keys, second factors or the approval policy changed" },
  audit_checkpoint:  { says: "Checkpoint of the audit log: store it where no payrun user can change it" },
  test:              { says: "This is a test message" },
} as const;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]];

export interface Notice {
  readonly id: string;
  readonly event: EventName;
  /** A batch ID or the code of an alarm. */
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Returns the page of the dashboard that shows the event. */
const pageOf = ({ event, object, facts }: Notice): string =>
  event.startsWith("batch_")
    ? `/batches/${object}`
    : event === "people"
      ? peoplePage(facts)
      : event === "audit_checkpoint"
        ? "/audit"
        : "/operations";

/**
 * Returns the document that a program receives. The names are snake_case, as everywhere in the API.
 */
export const documentOf = (notice: Notice, desk: string | null) => ({
  id: notice.id,
  type: notice.event,
  timestamp: notice.at.toISOString(),
  data: {
    object: notice.object,
    ...notice.facts,
    ...(desk === null ? {} : { url: desk + pageOf(notice) }),
  },
});

/**
 * Returns the e-mail that a person receives: plain words, no account numbers.
 *
 * @param userId the user whose own address receives it. Null: a channel.
 */
export function mailOf(
  notice: Notice,
  desk: string | null,
  userId: string | null,
): { subject: string; text: string } {
  if (notice.event === "people") return peopleMail(notice.facts, { desk, userId });
  const { says } = EVENTS[notice.event];
  const facts = Object.entries(notice.facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${wordsOf(value)}`);
  const where = desk === null ? [] : ["", desk + pageOf(notice)];
  return {
    subject: `payrun: ${says} (${notice.object})`.replaceAll(/[\r\n]+/g, " "),
    text: [`${says}.`, "", notice.object, ...facts, ...where, ""].join("\n"),
  };
}

const wordsOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, part]) => `${name} ${String(part)}`)
        .join(", ")
    : String(value);

const FIRST_WAIT_MS = 10_000;
const WAIT_MAX_MS = 3_600_000;
/** Number of tries, about a day, after which a delivery is given up. A person may send it again. */
export const TRIES_MAX = 30;

/** Returns the milliseconds to wait after the n-th failed try: 10 s, 40 s, then up to an hour. */
export const waitAfter = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 4 ** Math.min(tries - 1, 10), WAIT_MAX_MS);
