import { ActionIcon, Text } from "@mantine/core";
import { Bell } from "lucide-react";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { messages as texts } from "./messages.ts";
import classes from "./notification-bell.module.css";

/** Loaded when the list is opened. */
const Inbox = lazy(() => import("./inbox.tsx"));

/** The button with the number of unread notifications, and the list that it opens. */
export function NotificationBell({
  unread,
  onRead,
}: {
  readonly unread: number;
  /** Called when notifications were marked as read. */
  readonly onRead: () => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.bell}
        data-unread={unread > 0 || undefined}
        aria-label={texts.open(unread)}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        <Bell size={18} aria-hidden />
      </ActionIcon>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={texts.title}
        className={classes.list}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen ? (
          <Suspense fallback={<Text role="status">{texts.loading}</Text>}>
            <Inbox unread={unread} close={() => list.current?.hidePopover()} onRead={onRead} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}
