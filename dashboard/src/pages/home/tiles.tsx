import { Text } from "@mantine/core";
import { Amounts } from "../../components/amount.tsx";
import { Go } from "../../components/go.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import { useMay } from "../../session.ts";
import type { Home } from "./home.tsx";
import classes from "./tiles.module.css";

const counted = (count: number, one: string, more: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : more}`;

/** The person's own work first; what any operator may take is shown to operators. */
export function NeedsYou({ home: { you, held, closings } }: { readonly home: Home }) {
  const operates = useMay("operate");
  const approves = useMay("approve");
  const toAgree = approves ? closings : [];
  const nothing =
    you.alarms.length === 0 &&
    you.approve === 0 &&
    you.correct === 0 &&
    held.count === 0 &&
    toAgree.length === 0;
  return (
    <Section title="Needs you">
      <ul className={classes.tasks}>
        {you.alarms.length > 0 ? (
          <li>
            <Go to="/operations">Act now: {you.alarms.join("; ")}</Go>
          </li>
        ) : null}
        {you.approve > 0 ? (
          <li>
            <Go to="/approvals">
              {counted(you.approve, "batch waits", "batches wait")} for your approval
            </Go>
          </li>
        ) : null}
        {you.correct > 0 ? (
          <li>
            <Go to="/batches?state=needs_correction">
              {counted(you.correct, "batch", "batches")} of yours to correct
            </Go>
          </li>
        ) : null}
        {toAgree.map((code) => (
          <li key={code}>
            <Go to={`/payouts/${encodeURIComponent(code)}`}>{code}</Go>
            <Text size="sm" c="dimmed">
              Somebody says what became of it: an approver agrees, or does not.
            </Text>
          </li>
        ))}
        {held.count > 0 ? (
          <li>
            <Go to="/failures">{counted(held.count, "payout is", "payouts are")} stopped</Go>
            <Text size="sm" c="dimmed">
              {operates
                ? "Find out what became of each of them, and close it."
                : "An operator decides about them."}
            </Text>
            <Amounts of={held.sums} />
          </li>
        ) : null}
      </ul>
      {nothing ? <Text c="dimmed">Nothing. What waits for others is in the lists.</Text> : null}
    </Section>
  );
}

export function InDoubt({ heap: { count, sums, oldest_at } }: { readonly heap: Home["in_doubt"] }) {
  return (
    <Section title="Unknown now">
      {count === 0 ? (
        <Text c="dimmed">No payout is in doubt.</Text>
      ) : (
        <>
          <p className={classes.figure} data-tone="doubt">
            <Go to="/payouts?state=in_doubt">{counted(count, "payout", "payouts")}</Go>
          </p>
          <Amounts of={sums} />
          <Text size="sm" c="dimmed">
            Sent without a conclusive answer. Do not pay them again.
          </Text>
          <Text size="sm">
            Oldest: <When at={oldest_at} />
          </Text>
        </>
      )}
    </Section>
  );
}
