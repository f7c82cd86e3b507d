import { timeText } from "#base/time-text.ts";
import { groupDigits } from "#money/format.ts";
import {
  type EventMail,
  EVENT_MAILS,
  type EventName,
  EVENTS,
  FACT_LABELS,
  MAIL_FRAME,
  STATE_WORDS,
} from "#notification/messages.ts";
import { isProgramEvent, PROGRAM_EVENTS } from "#operations/feed-events.ts";
import { PEOPLE_ACTIONS, type PeopleAction, peopleMail, peoplePage } from "#notification/people.ts";

/** The names of all events that a channel can receive. */
export const EVENT_NAMES = [...Object.keys(EVENTS), ...Object.keys(PROGRAM_EVENTS)] as [
  EventName,
  ...EventName[],
];

/** Returns what an event means, as a sentence without a full stop. */
export const eventSays = (event: EventName): string =>
  isProgramEvent(event) ? PROGRAM_EVENTS[event].says : EVENTS[event].says;

export interface Notice {
  readonly id: string;
  readonly event: EventName;
  /** A batch ID or the code of an alarm. */
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Returns the page of the dashboard that shows the event. */
function pageOf({ event, object, facts }: Notice): string {
  if (event.startsWith("batch_")) return `/batches/${object}`;
  if (event.startsWith("payout_")) return `/payouts/${object}`;
  if (event === "break_opened") return `/reconciliation/${object}`;
  if (event === "people") return peoplePage(facts);
  if (event === "comment_added") {
    if (facts["break"] !== undefined) return `/reconciliation/${object}`;
    return facts["payout"] === true ? `/payouts/${object}` : `/batches/${object}`;
  }
  if (event === "assigned") return assignedPage(object, facts);
  if (event === "schedule_missed") return "/schedules";
  if (event === "day_closed" || event === "day_reopened") return pageOfDay(facts);
  if (event === "test") return "/settings/notifications";
  return event === "audit_checkpoint" ? "/audit" : "/operations";
}

/** The page of each kind of assignment (src/ledger/notification/assignment-notices.ts). */
function assignedPage(object: string, { kind }: Notice["facts"]): string {
  if (kind === "payout") return `/payouts/${object}`;
  if (kind === "payout_action") return `/payout-actions/${object}`;
  if (kind === "break") return `/reconciliation/${object}`;
  return kind === "break_action" ? `/reconciliation/actions/${object}` : "/failures";
}

/** Events of the ledger have the facts of their day in one member, messages to people do not. */
function pageOfDay(facts: Notice["facts"]): string {
  const of = typeof facts["day"] === "object" ? (facts["day"] as Notice["facts"]) : facts;
  return `/reconciliation/days/${String(of["day"])}?lane=${encodeURIComponent(String(of["lane"]))}`;
}

/**
 * Returns the document that a program receives. The names are snake_case, as everywhere in the API.
 */
export const noticeDocument = (notice: Notice, desk: string | null) => ({
  id: notice.id,
  type: notice.event,
  timestamp: notice.at.toISOString(),
  data: {
    object: notice.object,
    ...notice.facts,
    ...(desk === null ? {} : { url: desk + pageOf(notice) }),
  },
});

/** Returns the entry that a user finds under their notifications: a title, details and a page. */
export function inboxEntry(notice: Notice): { title: string; detail: string; page: string } {
  const { event, facts } = notice;
  const page = pageOf(notice);
  if (event === "people") {
    return {
      title: PEOPLE_ACTIONS[facts["action"] as PeopleAction],
      detail: oneLine(facts["text"]),
      page,
    };
  }
  const detail = [facts["by"], facts["comment_text"] ?? facts["reason"]]
    .flatMap((fact) => (typeof fact === "string" ? [oneLine(fact)] : []))
    .join(": ");
  const { subject, inboxTitle = subject } = mailOf(event);
  return { title: inboxTitle(nameIn(notice)), detail, page };
}

/**
 * Returns the e-mail that a person receives: plain words, no account numbers.
 *
 * @param userId the user whose own address receives it. Null: a channel.
 */
export function eventMail(
  notice: Notice,
  desk: string | null,
  userId: string | null,
): { subject: string; text: string } {
  const { event, object, facts } = notice;
  if (event === "people") return peopleMail(facts, { desk, userId });
  const mail = mailOf(event);
  const name = nameIn(notice);
  const personal = userId === null ? undefined : mail.personal;
  const lines = Object.entries(FACT_LABELS).flatMap(([fact, label]) => {
    const value = factText(fact, facts[fact]);
    return value === "" ? [] : [`${label}: ${value}`];
  });
  const listed = [...(mail.object === null ? [] : [`${mail.object}: ${object}`]), ...lines];
  const parts = [
    MAIL_FRAME.greeting,
    personal?.(name, oneLine(facts["by"])) ?? mail.opening(name),
    listed.join("\n"),
    mail.next === null ? "" : `${MAIL_FRAME.next}: ${mail.next}`,
    desk === null ? "" : `${MAIL_FRAME.link}: ${desk}${pageOf(notice)}`,
    personal ? MAIL_FRAME.assignments : MAIL_FRAME.channel,
  ];
  const { subject, inboxTitle = subject } = mail;
  return {
    subject: `payrun: ${(personal ? inboxTitle : subject)(name)}`.slice(0, SUBJECT_MAX),
    text: `${parts.filter((part) => part !== "").join("\n\n")}\n`,
  };
}

function mailOf(event: Exclude<EventName, "people">): EventMail {
  if (isProgramEvent(event)) throw new Error(`${event} is not for people`);
  return EVENT_MAILS[event];
}

/** The facts that name the object of an event. */
const NAMED_BY = ["file", "schedule", "line", "text"];
const SUBJECT_MAX = 150;

const nameIn = ({ facts, object }: Notice): string =>
  oneLine(NAMED_BY.map((fact) => facts[fact]).find((value) => value !== undefined) ?? object);

/** Returns the text on one line, so that a file name cannot add lines or headers. */
const oneLine = (value: unknown): string => String(value).replaceAll(/\s+/g, " ").trim();

/** Returns a fact in plain words. Empty: there is nothing to show. */
function factText(fact: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (fact === "totals") {
    return Object.entries(value)
      .map(([currency, amount]) => `${currency} ${groupDigits(String(amount), currency)}`)
      .join(", ");
  }
  const text = oneLine(value);
  if (fact === "rows") return Number(text).toLocaleString("en");
  if (fact === "state") return STATE_WORDS[text] ?? text;
  const isTime = fact === "since" || fact === "until";
  return isTime ? timeText(text) : text;
}

const FIRST_WAIT_MS = 10_000;
const WAIT_MAX_MS = 3_600_000;
/**
 * Number of tries, over about a day, after which payrun stops, except for events of the feed. A
 * person may send it again.
 */
export const DELIVERY_TRIES_MAX = 30;

/** Returns the milliseconds to wait after the n-th failed try: 10 s, 40 s, then up to an hour. */
export const deliveryRetryMs = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 4 ** Math.min(tries - 1, 10), WAIT_MAX_MS);
