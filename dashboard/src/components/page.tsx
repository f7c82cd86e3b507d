import { Anchor, Title } from "@mantine/core";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { messages } from "../base/messages.ts";
import { readerZone } from "../base/time-zone.ts";
import { messages as texts } from "./messages.tsx";
import classes from "./page.module.css";

/**
 * The last address whose heading received the focus. The first page of a visit does not move the
 * focus.
 */
let announced: string | null = null;

/** A link of the path above the title. */
interface Crumb {
  readonly to: string;
  readonly label: string;
}

/**
 * A page: the path to it, the title with its badge, one line of facts, and the actions at the
 * right. The title is the tab title and the only h1, which receives the focus after a navigation.
 */
export function Page({
  title,
  crumbs = [],
  badge,
  facts,
  actions,
  children,
}: {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  readonly badge?: ReactNode;
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  // After the navigation: until then the previous page is still shown.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = messages.tabTitle(title);
  }, [title]);
  useEffect(() => {
    if (pathname === undefined) return;
    if (announced !== null && announced !== pathname) heading.current?.focus();
    announced = pathname;
  }, [pathname]);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          {crumbs.length === 0 ? null : <Breadcrumb of={crumbs} />}
          <div className={classes.title}>
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {badge}
          </div>
          {facts ? <div className={classes.facts}>{facts}</div> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {children}
      <p className={classes.zone}>{texts.timesIn(readerZone())}</p>
    </div>
  );
}

const Breadcrumb = ({ of }: { readonly of: readonly Crumb[] }) => (
  <nav className={classes.crumb} aria-label={messages.breadcrumb}>
    {of.map(({ to, label }, position) => (
      <span key={to}>
        {position === 0 ? null : <span aria-hidden>/ </span>}
        <Anchor component={Link} to={to} size="xs">
          {label}
        </Anchor>
      </span>
    ))}
  </nav>
);
