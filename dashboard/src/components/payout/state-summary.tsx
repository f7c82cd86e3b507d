import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./state-summary.module.css";
import { Timestamp } from "../timestamp.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.outlook;

/**
 * The answer to the reader's main question, at the top of the page. It states only what is proven.
 */
export function StateSummary({
  badge,
  colour,
  isProven,
  question,
  outlook: { answer, next, next_at, wait = null },
  changedAt,
  nextLink = null,
  headline,
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
    readonly wait?: { readonly until: string; readonly reason_text: string } | null;
  };
  readonly changedAt: string;
  /** The page or button for the next step. */
  readonly nextLink?: ReactNode;
  /** Replaces the answer and the next step, which become a note below it. */
  readonly headline?: ReactNode;
}) {
  return (
    <Alert color={colour} variant="light" role="status" aria-live="polite">
      <div className={classes.answer}>
        {badge}
        {headline ? (
          <>
            <p className={classes.question} data-proven>
              <strong>{headline}</strong>
            </p>
            <Text size="sm">{answer}</Text>
          </>
        ) : (
          <>
            <p className={classes.question} data-proven={isProven || undefined}>
              <strong>{question}</strong> {answer}
            </p>
            <Text size="sm">
              <strong>{texts.next}</strong> {next} {nextLink}{" "}
              {next_at ? <Timestamp at={next_at} /> : null}
            </Text>
          </>
        )}
        {wait ? (
          <Text size="sm">{texts.wait(<Timestamp at={wait.until} />, wait.reason_text)}</Text>
        ) : null}
        <Text size="xs" c="dimmed">
          {texts.lastChange} <Timestamp at={changedAt} />
        </Text>
      </div>
    </Alert>
  );
}
