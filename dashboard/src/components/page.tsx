import { Title } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./page.module.css";

/** The address whose heading has had the focus. The first page of a visit leaves the focus where it is. */
let announced: string | null = null;

/** A page: its title in the tab and as its one h1, which takes the focus after a navigation. */
export function Page({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  // Only when the navigation is over: until then the page that is left still stands here.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · payrun`;
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
