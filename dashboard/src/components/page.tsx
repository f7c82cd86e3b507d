import { Title } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { messages } from "../base/messages.ts";
import classes from "./page.module.css";

/**
 * The last address whose heading received the focus. The first page of a visit does not move the
 * focus.
 */
let announced: string | null = null;

/**
 * A page. Its title is the tab title and the only h1, which receives the focus after a navigation.
 */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
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
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
