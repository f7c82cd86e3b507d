import { Text } from "@mantine/core";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { useMay } from "../../../server/session.ts";
import { messages } from "./messages.tsx";
import classes from "./your-tasks.module.css";
import type { Home } from "./queries.ts";

const texts = messages.yourTasks;

/** The reader's own tasks come first, then the tasks that any operator may take. */
export function YourTasks({
  home: { you, on_hold: onHold, resolutions, wait_endings },
}: {
  readonly home: Home;
}) {
  const operates = useMay("operate");
  const approves = useMay("approve");
  const toConfirm = approves
    ? [
        ...resolutions.map((code) => ({ code, says: texts.resolution })),
        ...wait_endings.map((code) => ({ code, says: texts.waitEnding })),
      ]
    : [];
  const nothing =
    you.alarms.length === 0 &&
    you.approve === 0 &&
    you.correct === 0 &&
    onHold.count === 0 &&
    toConfirm.length === 0;
  return (
    <Section title={texts.title}>
      <ul className={classes.tasks}>
        {you.alarms.length > 0 ? (
          <li>
            <PageLink to="/operations">{texts.alarms(you.alarms)}</PageLink>
          </li>
        ) : null}
        {you.approve > 0 ? (
          <li>
            <PageLink to="/approvals">{texts.toApprove(you.approve)}</PageLink>
          </li>
        ) : null}
        {you.correct > 0 ? (
          <li>
            <PageLink to="/batches?state=needs_correction">{texts.toCorrect(you.correct)}</PageLink>
          </li>
        ) : null}
        {toConfirm.map(({ code, says }) => (
          <li key={code}>
            <PageLink to={`/payouts/${encodeURIComponent(code)}`}>{code}</PageLink>
            <Text size="sm" c="dimmed">
              {says}
            </Text>
          </li>
        ))}
        {onHold.count > 0 ? (
          <li>
            <PageLink to="/failures">{texts.onHold(onHold.count)}</PageLink>
            <Text size="sm" c="dimmed">
              {operates ? texts.onHoldForOperators : texts.onHoldForOthers}
            </Text>
            <AmountSummary of={onHold.sums} payouts={onHold.count} />
          </li>
        ) : null}
      </ul>
      {nothing ? <Text c="dimmed">{texts.empty}</Text> : null}
    </Section>
  );
}

/** The number, sums and oldest of the payouts in doubt. */
export function PayoutsInDoubt({
  heap: { count, sums, oldest_at },
}: {
  readonly heap: Home["in_doubt"];
}) {
  return (
    <Section title={messages.inDoubt.title}>
      {count === 0 ? (
        <Text c="dimmed">{messages.inDoubt.empty}</Text>
      ) : (
        <>
          <p className={classes.figure} data-tone="doubt">
            <PageLink to="/payouts?state=in_doubt">{messages.inDoubt.payouts(count)}</PageLink>
          </p>
          <AmountSummary of={sums} payouts={count} />
          <Text size="sm" c="dimmed">
            {messages.inDoubt.advice}
          </Text>
          <Text size="sm">
            {messages.inDoubt.oldest} <Timestamp at={oldest_at} />
          </Text>
        </>
      )}
    </Section>
  );
}
