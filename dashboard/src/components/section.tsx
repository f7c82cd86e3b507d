import { Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

/** A part of a page, named by its h2. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </Paper>
  );
}
