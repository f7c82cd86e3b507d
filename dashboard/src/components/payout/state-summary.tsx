import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./state-summary.module.css";
import { formatAmountsIn } from "../../base/money.ts";
import { formatTimesIn } from "../../base/dates.ts";
import { Timestamp } from "../timestamp.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.outlook;

interface Outlook {
  readonly answer: string;
  readonly next: string;
  readonly next_at: string | null;
  /** A wait before a payout is sent again. */
  readonly wait?: { readonly until: string; readonly reason_text: string } | null;
}

/**
 * The answer to the reader's main question, at the top of the page. It states only what is proven.
 */
export function StateSummary({
  badge,
  colour,
  isProven,
  question,
  outlook: { answer, next, next_at, wait = null },
  because = null,
  changedAt,
  nextLink = null,
  actions = null,
  headline,
}: {
  readonly badge: ReactNode;
  readonly colour: string;
  readonly isProven: boolean;
  readonly question: string;
  readonly outlook: Outlook;
  /** The reason at the end of the answer, which is shown smaller. */
  readonly because?: string | null;
  readonly changedAt: string;
  /** The page for the next step. */
  readonly nextLink?: ReactNode;
  /** The buttons for what the reader can do now. */
  readonly actions?: ReactNode;
  /** Replaces the answer and the next step, which become a note below it. */
  readonly headline?: ReactNode;
}) {
  const reason = because !== null && answer.endsWith(because) ? because : null;
  const short = reason === null ? answer : answer.slice(0, -reason.length).trimEnd();
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
              <span className={classes.asked}>{question}</span>{" "}
              <strong>{formatTimesIn(formatAmountsIn(short))}</strong>{" "}
              {reason === null ? null : (
                <span className={classes.reason}>{formatTimesIn(formatAmountsIn(reason))}</span>
              )}
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
        {actions ? <div className={classes.actions}>{actions}</div> : null}
        <Text size="xs" c="dimmed">
          {texts.lastChange} <Timestamp at={changedAt} />
        </Text>
      </div>
    </Alert>
  );
}
