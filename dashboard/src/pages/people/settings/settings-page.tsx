import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../../components/page.tsx";
import { type Permission, usePerson } from "../../../server/session.ts";
import classes from "./settings-page.module.css";
import { PendingChanges } from "./pending-changes.tsx";
import { messages } from "./messages.tsx";

const texts = messages.tabs;

// biome-ignore format: the columns are the point
const TABS = [
  { to: "/settings/users", label: texts.users, may: "administer" },
  { to: "/settings/keys",  label: texts.keys, may: "read" },
  { to: "/settings/approval-rules", label: texts.approvalRules, may: "read" },
  { to: "/settings/limits", label: texts.limits, may: "read" },
  { to: "/settings/accounts", label: texts.accounts, may: "read" },
  { to: "/settings/notifications", label: texts.notifications, may: "administer" },
  { to: "/settings/roles", label: texts.roles, may: "read" },
] as const satisfies readonly { to: string; label: string; may: Permission }[];

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
  const mayChange = person?.permissions.includes("administer");
  return (
    <Page title={title} actions={mayChange || forEverybody ? actions : null}>
      <nav aria-label={texts.title}>
        <ul className={classes.tabs}>
          {TABS.filter(({ may }) => person?.permissions.includes(may)).map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={classes.tab} activeProps={{ "aria-current": "page" }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PendingChanges />
      {children}
    </Page>
  );
}
