import { Checkbox, Text, Textarea } from "@mantine/core";
import { formatMoney } from "../../../base/money.ts";
import { Section } from "../../../components/section.tsx";
import type { Answer } from "../../../server/client.ts";
import { messages as texts } from "./messages.ts";
import classes from "./retry.module.css";

/** The payouts of a batch that can be retried, and those that cannot. */
export type Retry = Answer<"GET /api/batches/:id/retry-batch">;
/** The declined payouts with one cause. */
export type Cause = Retry["causes"][number];
/** Some payouts, with their total per currency. */
export type Share = Retry["payable"];

/** The decision to retry the payouts with one cause unchanged, with its reason. */
export function Unchanged({
  cause,
  isChosen,
  choose,
  reason,
  setReason,
}: {
  readonly cause: Cause;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
}) {
  return (
    <div className={classes.decision}>
      <Checkbox
        label={texts.unchanged(cause.count)}
        checked={isChosen}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      {isChosen ? <Reason reason={reason} setReason={setReason} /> : null}
    </div>
  );
}

const Reason = ({
  reason,
  setReason,
}: {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
}) => (
  <Textarea
    label={texts.reason}
    description={texts.reasonHint}
    maxLength={500}
    required
    autosize
    minRows={2}
    value={reason}
    onChange={({ currentTarget }) => setReason(currentTarget.value)}
  />
);

/** The confirmation that the money of the returned payouts is back, with their totals. */
export function ReturnedPayouts({
  share,
  isChosen,
  choose,
  reason,
  setReason,
}: {
  readonly share: Share;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
  readonly reason: string;
  readonly setReason: (reason: string) => void;
}) {
  const sums = share.sums.map((sum) => formatMoney(sum));
  return (
    <Section
      title={texts.returned.title}
      badge={
        <Text size="sm" c="dimmed">
          {texts.count(share.count)}
        </Text>
      }
      caption={texts.returned.rule}
    >
      <Text size="sm">{texts.returned.text}</Text>
      <div className={classes.decision}>
        <Checkbox
          label={texts.returned.confirm(share.count, sums)}
          checked={isChosen}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        {isChosen ? <Reason reason={reason} setReason={setReason} /> : null}
      </div>
    </Section>
  );
}
