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
  outlook: { answer, next, next_at },
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
        <Text size="xs" c="dimmed">
          Last change <When at={changedAt} />
        </Text>
      </div>
    </Alert>
  );
}
