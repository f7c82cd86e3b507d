import { VisuallyHidden } from "@mantine/core";
import { Timestamp } from "../../../components/timestamp.tsx";
import type { StreamStatus } from "../../../server/live.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { durationText, isStanding, partCount, processedCount } from "./status-sentence.ts";

const texts = messages.live;

const QUARTERS = [25, 50, 75, 100];

/**
 * Pace and time left, or since when the page is offline. Screen readers announce each quarter and
 * the first declined or in-doubt payout.
 */
export function LiveStatus({
  liveness: { state, sinceMs },
  batch,
}: {
  readonly liveness: StreamStatus;
  readonly batch: BatchView;
}) {
  const { pace, seconds_left: seconds } = batch;
  return (
    <>
      {state === "live"
        ? texts.live
        : texts.offline(<Timestamp at={new Date(sinceMs).toISOString()} relative={false} />)}
      {pace.answers_per_second > 0 && !isStanding(batch)
        ? texts.answersPerSecond(pace.answers_per_second)
        : ""}
      {seconds === null ? "" : texts.timeLeft(durationText(seconds))}
      <VisuallyHidden aria-live="polite" component="span">
        <Milestone batch={batch} />
      </VisuallyHidden>
    </>
  );
}

function Milestone({ batch }: { readonly batch: BatchView }) {
  const share = batch.payouts === 0 ? 0 : (processedCount(batch) / batch.payouts) * 100;
  const reached = QUARTERS.findLast((quarter) => share >= quarter);
  const bad = partCount(batch, "declined") > 0 ? texts.declined : "";
  const unknown = partCount(batch, "in_doubt") > 0 ? texts.inDoubt : "";
  if (reached === undefined && !bad && !unknown) return null;
  return `${texts.processed(reached ?? 0)}${bad}${unknown}`;
}
