import { Bell, ClipboardCheck, Files, MessageSquare, ShieldCheck, UserPlus } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { exactTimeText, nearDayText, timeText } from "../../base/dates.ts";
import type { Answer } from "../../server/client.ts";
import { useNow } from "../timestamp.tsx";
import { UserText } from "../user-text.tsx";
import classes from "./inbox.module.css";
import { messages as texts } from "./messages.ts";

export type Notification = Answer<"GET /api/inbox">["items"][number];

/** The notifications of one day about one page, newest first. */
type Entry = readonly [Notification, ...Notification[]];

/** The notifications by day and by the page that they are about. A row opens the page. */
export function InboxList({
  items,
  onOpen,
}: {
  readonly items: readonly Notification[];
  readonly onOpen: (opened: readonly Notification[]) => void;
}) {
  const nowMs = useNow();
  const newest = items.toSorted((one, other) => other.at.localeCompare(one.at));
  const days = Map.groupBy(newest, ({ at }) => nearDayText(at, nowMs));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day}>
      <h3 className={classes.day}>{day}</h3>
      <ul className={classes.list}>
        {[...Map.groupBy(ofDay, ({ page }) => page)].map(([page, entry]) => (
          <Row key={page} of={entry as unknown as Entry} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ));
}

function Row({
  of: entry,
  onOpen,
}: {
  readonly of: Entry;
  readonly onOpen: (opened: readonly Notification[]) => void;
}) {
  const [{ event, title, detail, page, at }, ...earlier] = entry;
  const Icon = ICONS[kindOf(event)];
  const isUnread = entry.some(({ is_read }) => !is_read);
  return (
    <li data-unread={isUnread || undefined}>
      <Icon size={16} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <Link to={page} className={classes.open} onClick={() => onOpen(entry)}>
          {isUnread ? <span className={classes.dot} role="img" aria-label={texts.unread} /> : null}
          <UserText text={title} />
        </Link>
        {detail === "" ? null : (
          <div className={classes.detail}>
            <UserText text={detail} />
          </div>
        )}
        {earlier.length === 0 ? null : (
          <div className={classes.earlier}>{texts.earlier(earlier.length)}</div>
        )}
      </div>
      <time dateTime={at} title={exactTimeText(at)} className="tabular">
        {timeText(at)}
      </time>
    </li>
  );
}

const ICONS = {
  approval: ClipboardCheck,
  batch: Files,
  comment: MessageSquare,
  assigned: UserPlus,
  people: ShieldCheck,
  other: Bell,
} as const;

function kindOf(event: Notification["event"]): keyof typeof ICONS {
  if (event === "batch_awaiting_approval") return "approval";
  if (event === "comment_added") return "comment";
  if (event === "assigned" || event === "people") return event;
  return event.startsWith("batch_") ? "batch" : "other";
}
