import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import { Section } from "../../../components/section.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import { ageText, countText, type OperationsView } from "../shared/operations-view.ts";

const texts = messages.tiles;

/** The key figures of sending. */
export const KeyFigures = ({ view }: { readonly view: OperationsView }) => (
  <Section title={texts.title}>
    <dl className={classes.tiles}>
      <PayoutTiles view={view} />
      <SystemTiles view={view} />
    </dl>
  </Section>
);

/** The responses of the gateway by kind, and the reasons of payouts on hold. */
export function GatewayResponses({ view }: { readonly view: OperationsView }) {
  const kinds = ANSWERS.filter((key) => view.counts[key] > 0);
  return (
    <Section title={texts.answersTitle} foldsOnPhone>
      {kinds.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noneSent}
        </Text>
      ) : (
        <dl className={classes.answers}>
          {kinds.map((key) => (
            <div key={key}>
              <dt>{texts.answers[key]}</dt>
              <dd className="tabular">{countText(view.counts[key])}</dd>
            </div>
          ))}
        </dl>
      )}
      {view.on_hold.by_reason.length === 0 ? null : <OnHoldReasons onHold={view.on_hold} />}
    </Section>
  );
}

/** Payouts in doubt and on hold, and the rate and latency of sending. */
function PayoutTiles({ view }: { readonly view: OperationsView }) {
  const nowMs = useNow();
  const { in_doubt: doubt, on_hold: onHold } = view;
  return (
    <>
      <Tile
        name={texts.inDoubt}
        value={countText(doubt.count)}
        tone={doubt.count > 0 ? "doubt" : undefined}
      >
        {doubt.oldest_at ? texts.oldest(ageText(doubt.oldest_at, nowMs)) : null}
        {doubt.count > 0 ? <AmountSummary of={doubt.sums} /> : null}
      </Tile>
      <Tile
        name={texts.onHold}
        value={countText(onHold.count)}
        tone={onHold.count > 0 ? "hold" : undefined}
      >
        {onHold.oldest_at ? texts.oldest(ageText(onHold.oldest_at, nowMs)) : null}
        {onHold.count > 0 ? <AmountSummary of={onHold.sums} /> : null}
      </Tile>
      <Tile name={texts.sendsPerSecond} value={String(view.sends_per_second)}>
        {texts.lastMinute}
      </Tile>
      <Tile
        name={texts.medianLatency}
        value={view.p50_ms === null ? "–" : texts.milliseconds(view.p50_ms)}
      >
        {view.p95_ms === null ? texts.noneSent : texts.p95(view.p95_ms)}
      </Tile>
    </>
  );
}

/** The job queue, the worker processes, the callbacks and the clocks. */
function SystemTiles({ view }: { readonly view: OperationsView }) {
  const nowMs = useNow();
  const { counts, queue, workers, ledger } = view;
  const waiting = queue.queues?.reduce((sum, each) => sum + each.waiting, 0);
  const oldest = queue.queues?.flatMap(({ oldest_at }) => oldest_at ?? []).toSorted()[0];
  const swept = workers
    .flatMap(({ swept_at }) => swept_at ?? [])
    .toSorted()
    .at(-1);
  const alive = workers.filter(({ is_alive, works }) => is_alive && works);
  const offset = workers.find((each) => each.is_alive && each.gateway_offset_ms !== null);
  return (
    <>
      <Tile name={texts.jobs} value={waiting === undefined ? "?" : countText(waiting)}>
        {oldest ? texts.oldest(ageText(oldest, nowMs)) : queue.queues ? null : texts.unreachable}
      </Tile>
      <Tile
        name={texts.workers}
        value={String(alive.length)}
        tone={alive.length === 0 ? "declined" : undefined}
      >
        {swept ? texts.lastSweep(ageText(swept, nowMs)) : texts.noSweep}
      </Tile>
      <Tile name={texts.callbacks} value={countText(counts.callbacks)}>
        {texts.strayCallbacks(countText(counts.stray_callbacks))}
      </Tile>
      <Tile name={texts.gatewayClock} value={offset ? secondsText(offset.gateway_offset_ms) : "–"}>
        {texts.databaseClock(secondsText(ledger.clock_offset_ms))}
      </Tile>
    </>
  );
}

const ANSWERS = [
  "accepted",
  "refused_row",
  "refused_system",
  "not_sent",
  "ambiguous",
  "duplicate",
  "unmapped",
  "status_queries",
  "unreadable_status",
] as const;

/** Offsets are shown in tenths of a second. A value that rounds to zero has no minus sign. */
const TENTH_MS = 100;
const secondsText = (ms: number | null): string =>
  ms === null
    ? "–"
    : texts.offset(`${ms > -TENTH_MS / 2 ? "+" : "−"}${(Math.abs(ms) / 1_000).toFixed(1)}`);

function Tile({
  name,
  value,
  tone,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly tone?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.tile} data-tone={tone}>
      <dt>{name}</dt>
      <dd>
        <strong className="tabular">{value}</strong>
        <small>{children}</small>
      </dd>
    </div>
  );
}

const OnHoldReasons = ({ onHold }: { readonly onHold: OperationsView["on_hold"] }) => (
  <details>
    <summary>{texts.onHoldReasons(countText(onHold.count))}</summary>
    <ul className={classes.reasons}>
      {onHold.by_reason.map(({ reason, text, count }) => (
        <li key={reason}>
          <strong className="tabular">{countText(count)}</strong> {text}
        </li>
      ))}
    </ul>
  </details>
);
