import { Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { EnvironmentBand } from "../../shell/environment-band.tsx";
import classes from "./door.module.css";

/** A page in front of the sign-in: one card, nothing else. */
export function Door({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · payrun`;
  }, [title]);
  return (
    <div className={classes.frame}>
      <header>
        <EnvironmentBand />
      </header>
      <main className={classes.main}>
        <p className={classes.brand}>payrun</p>
        <div className={classes.card}>
          <Stack>
            <Title order={1} size="h3">
              {title}
            </Title>
            {children}
          </Stack>
        </div>
      </main>
    </div>
  );
}
