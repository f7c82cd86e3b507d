import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { useIsPhone } from "../base/use-is-phone.ts";
import classes from "./section.module.css";

interface SectionProps {
  readonly title: string;
  /** Follows the title. */
  readonly badge?: ReactNode;
  /** At the right, before the actions. */
  readonly caption?: ReactNode;
  readonly actions?: ReactNode;
  /** The content reaches the border, such as a table or a list of rows. */
  readonly isFlush?: boolean;
  /** A phone first shows only the title, because readers seldom need the section. */
  readonly foldsOnPhone?: boolean;
  /** Every screen first shows only the title. */
  readonly folds?: boolean;
  readonly children: ReactNode;
}

/** A card of a page, named by its h2. */
export function Section({
  title,
  badge,
  caption,
  actions,
  isFlush,
  foldsOnPhone = false,
  folds = false,
  children,
}: SectionProps) {
  const id = useId();
  const isPhone = useIsPhone();
  const content = isFlush ? <div className={classes.flush}>{children}</div> : children;
  const shownCaption =
    caption === undefined ? null : <span className={classes.caption}>{caption}</span>;
  const heading = (
    <div className={classes.heading}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {badge}
    </div>
  );
  if (folds || (foldsOnPhone && isPhone)) {
    return (
      <section aria-labelledby={id} className={classes.section}>
        <details className={classes.fold}>
          <summary className={classes.head}>
            {heading}
            {shownCaption}
          </summary>
          <div className={classes.content} data-card-content>
            {actions}
            {content}
          </div>
        </details>
      </section>
    );
  }
  return (
    <section aria-labelledby={id} className={classes.section} data-card-content>
      <div className={classes.head}>
        {heading}
        {shownCaption === null && !actions ? null : (
          <div className={classes.aside}>
            {shownCaption}
            {actions}
          </div>
        )}
      </div>
      {content}
    </section>
  );
}
