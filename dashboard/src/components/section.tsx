import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

/**
 * A card of a page, named by its h2. `badge` follows the title, `caption` and `actions` are at the
 * right. Content in `isFlush` reaches the border, such as a table or a list of rows.
 */
export function Section({
  title,
  badge,
  caption,
  actions,
  isFlush,
  children,
}: {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly caption?: ReactNode;
  readonly actions?: ReactNode;
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const hasAside = caption !== undefined || Boolean(actions);
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {badge}
        {hasAside ? (
          <div className={classes.aside}>
            {caption === undefined ? null : <span className={classes.caption}>{caption}</span>}
            {actions}
          </div>
        ) : null}
      </div>
      {isFlush ? <div className={classes.flush}>{children}</div> : children}
    </section>
  );
}
