import { Alert } from "@mantine/core";
import { CircuitBreakerText } from "../../components/payout/circuit-breaker-text.tsx";
import { useLaneName } from "../../components/payout/lane-name.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "./batch-view.ts";

const texts = messages.lanes;

type Stop = NonNullable<BatchView["lanes"][number]["stopped"]> & { readonly lane: string };

/**
 * The stopped and paused lanes of the batch: who paused each one, since when, why, and how it
 * resumes. Only the page of the lanes restarts one, because other batches use it too.
 */
export function StoppedLanes({ batch }: { readonly batch: BatchView }) {
  const nameOf = useLaneName();
  const stops = batch.lanes.flatMap(({ lane, stopped }) => (stopped ? [{ lane, ...stopped }] : []));
  const isFirst = (stop: Stop) => stop === stops.find((each) => each.all_lanes);
  const shown = stops.filter((stop) => !stop.all_lanes || isFirst(stop));
  return shown.map((stop) => (
    <Alert key={stop.lane} color="orange" variant="light" title={titleOf(stop, nameOf)}>
      <div>
        {stop.paused_by === null ? <Stopped stop={stop} /> : <Paused stop={stop} />}{" "}
        <PageLink to={pageOf(stop)} isInText>
          {stop.all_lanes ? texts.openLanes : texts.openLane}
        </PageLink>
      </div>
      {stop.breaker ? <CircuitBreakerText breaker={stop.breaker} /> : null}
    </Alert>
  ));
}

const pageOf = ({ lane, all_lanes }: Stop): string =>
  all_lanes ? "/operations?tab=lanes" : `/operations?tab=lanes&lane=${encodeURIComponent(lane)}`;

const titleOf = ({ lane, paused_by, all_lanes }: Stop, nameOf: (lane: string) => string): string =>
  paused_by === null ? texts.stopped(nameOf(lane)) : texts.paused(all_lanes ? null : nameOf(lane));

const Paused = ({ stop }: { readonly stop: Stop }) => (
  <>
    {texts.pausedBy(
      <UserText text={stop.paused_by ?? ""} />,
      <Timestamp at={stop.since} />,
      <UserText text={stop.reason} />,
    )}{" "}
    {stop.retry_at === null ? texts.untilResumed : texts.until(<Timestamp at={stop.retry_at} />)}
  </>
);

const Stopped = ({ stop }: { readonly stop: Stop }) => (
  <>
    {texts.since} <Timestamp at={stop.since} />:{" "}
    {texts.why(
      stop.reason,
      texts.needs[stop.needs],
      stop.retry_at === null ? null : <Timestamp at={stop.retry_at} />,
    )}
  </>
);
