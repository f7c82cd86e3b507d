import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../components/page.tsx";
import { type Permission, usePerson } from "../../session.ts";
import classes from "./frame.module.css";
import { PendingChanges } from "./pending-changes.tsx";

// biome-ignore format: the columns are the point
const TABS = [
  { to: "/settings/users", label: "Users", may: "administer" },
  { to: "/settings/keys",  label: "API keys", may: "administer" },
  { to: "/settings/approval-rules", label: "Approval rules", may: "read" },
  { to: "/settings/limits", label: "Limits", may: "read" },
  { to: "/settings/notifications", label: "Notifications", may: "administer" },
  { to: "/settings/roles", label: "Who may do what", may: "read" },
] as const satisfies readonly { to: string; label: string; may: Permission }[];

/** A page of the settings, with the way to the others. */
export function SettingsPage({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const person = usePerson();
  const mayChange = person?.permissions.includes("administer");
  return (
    <Page title={title} actions={mayChange ? actions : null}>
      <nav aria-label="Settings">
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
      {mayChange ? <PendingChanges /> : null}
      {children}
    </Page>
  );
}
