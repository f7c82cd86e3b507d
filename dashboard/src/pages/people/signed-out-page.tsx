import { Stack, Title } from "@mantine/core";
import { Zap } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { EnvironmentBanner } from "../../shell/environment.tsx";
import { messages as common } from "../../base/messages.ts";
import classes from "./signed-out-page.module.css";
import { messages } from "./messages.tsx";

/** A page before sign-in, with one card. */
export function SignedOutPage({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = common.tabTitle(title);
  }, [title]);
  return (
    <div className={classes.frame}>
      <header>
        <EnvironmentBanner />
      </header>
      <main className={classes.main}>
        <p className={classes.brand}>
          <span className={classes.logo}>
            <Zap size={16} aria-hidden />
          </span>
          {messages.brand}
        </p>
        <div className={classes.card}>
          <Stack>
            <Title order={1} size="h2">
              {title}
            </Title>
            {children}
          </Stack>
        </div>
      </main>
    </div>
  );
}
