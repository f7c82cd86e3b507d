import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useScrollToCurrent } from "../../../base/scroll-to-current.ts";
import { Page } from "../../../components/page.tsx";
import { usePerson } from "../../../server/session.ts";
import classes from "./settings-page.module.css";
import { PendingChanges } from "./pending-changes.tsx";
import { SETTINGS_TABS } from "./settings-tabs.ts";
import { messages } from "./messages.tsx";

const texts = messages.tabs;

/** A page of the settings, with links to the other pages. */
export function SettingsPage({
  title,
  actions,
  forEverybody = false,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Shows the actions to everyone, not only to admins. */
  readonly forEverybody?: boolean;
  readonly children: ReactNode;
}) {
  const person = usePerson();
  const row = useScrollToCurrent<HTMLUListElement>(title);
  const mayChange = person?.permissions.includes("administer");
  return (
    <Page title={title} actions={mayChange || forEverybody ? actions : null}>
      <nav aria-label={texts.title}>
        <ul ref={row} className={`${classes.tabs} scroll-row`}>
          {SETTINGS_TABS.filter(({ may }) => person?.permissions.includes(may)).map(
            ({ to, label }) => (
              <li key={to}>
                <Link to={to} className={classes.tab} activeProps={{ "aria-current": "page" }}>
                  {label}
                </Link>
              </li>
            ),
          )}
        </ul>
      </nav>
      <PendingChanges />
      {children}
    </Page>
  );
}
