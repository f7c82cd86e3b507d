/** What channels may be told of. Programs look at the names: they are for ever. */
// biome-ignore format: the columns are the point
export const EVENTS = {
  batch_waits:       { says: "A batch waits for approval" },
  batch_given_back:  { says: "A batch was given back to its uploader" },
  batch_approved:    { says: "A batch was approved" },
  batch_kept_back:   { says: "A batch did not go out at its time: somebody has to decide" },
  schedule_missed:   { says: "A schedule made no batch at its time: somebody has to decide" },
  batch_paused:      { says: "A batch was paused" },
  batch_finished:    { says: "A batch has ended: every payout is settled" },
  batch_finished_with_exceptions: { says: "A batch has ended, and not every payout is settled" },
  batch_cancelled:   { says: "A batch was cancelled" },
  alarm_raised:      { says: "Somebody has to look: money in doubt for too long, a lane that needs a person, a frozen ledger" },
  alarm_over:        { says: "An alarm is over" },
  audit_head:        { says: "The head of the audit log today: keep it where nobody of this desk can change it" },
  test:              { says: "This is a test" },
} as const;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]];

export interface Notice {
  readonly id: string;
  readonly event: EventName;
  /** A batch id or the code of an alarm. */
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Where in the desk it can be looked at. */
const pageOf = ({ event, object }: Notice): string =>
  event.startsWith("batch_")
    ? `/batches/${object}`
    : event === "audit_head"
      ? "/audit"
      : "/operations";

/** What a program is sent. The names are snake_case, as everywhere in the API. */
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

/** What a person is sent: plain words, no account numbers. */
export function mailOf(notice: Notice, desk: string | null): { subject: string; text: string } {
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
/** After this many tries, a day, a delivery is given up; a person may send it again. */
export const TRIES_MAX = 30;

/** How long to wait after the n-th try that failed: 10 s, 40 s, then up to an hour. */
export const waitAfter = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 4 ** Math.min(tries - 1, 10), WAIT_MAX_MS);
