import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./answered.module.css";
import { When } from "./when.tsx";

/** The question that people come with, answered first on the page, and with no more than is proven. */
export function Answered({
  badge,
  colour,
  isProven,
  question,
  outlook: { answer, next, next_at, wait = null },
  changedAt,
}: {
  readonly badge: ReactNode;
  readonly colour: string;
  readonly isProven: boolean;
  readonly question: string;
  readonly outlook: {
    readonly answer: string;
    readonly next: string;
    readonly next_at: string | null;
    /** A wait before a payout is sent again. */
    readonly wait?: { readonly until: string; readonly because: string } | null;
  };
  readonly changedAt: string;
}) {
  return (
    <Alert color={colour} variant="light" role="status" aria-live="polite">
      <div className={classes.answer}>
        {badge}
        <p className={classes.question} data-proven={isProven || undefined}>
          <strong>{question}</strong> {answer}
        </p>
        <Text size="sm">
          <strong>Next:</strong> {next} {next_at ? <When at={next_at} /> : null}
        </Text>
        {wait ? (
          <Text size="sm">
            Waiting until <When at={wait.until} /> before sending again, because {wait.because}.
          </Text>
        ) : null}
        <Text size="xs" c="dimmed">
          Last change <When at={changedAt} />
        </Text>
      </div>
    </Alert>
  );
}
