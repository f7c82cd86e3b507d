import type { ReactNode } from "react";
import { Amounts } from "../../components/amount.tsx";
import { Section } from "../../components/section.tsx";
import { useNow } from "../../components/when.tsx";
import classes from "./operations.module.css";
import { ageText, countText, type Seen } from "./seen.ts";

/** The figures that tell at one look whether it goes well. */
export function Tiles({ seen }: { readonly seen: Seen }) {
  const nowMs = useNow();
  const { in_doubt: doubt, held, counts, queue } = seen;
  const waiting = queue.queues?.reduce((sum, each) => sum + each.waiting, 0);
  const waits = queue.queues?.flatMap(({ oldest_at }) => oldest_at ?? []).toSorted()[0];
  const swept = seen.workers
    .flatMap(({ swept_at }) => swept_at ?? [])
    .toSorted()
    .at(-1);
  const alive = seen.workers.filter(({ is_alive, works }) => is_alive && works);
  const offset = seen.workers.find((each) => each.is_alive && each.gateway_offset_ms !== null);
  return (
    <>
      <Section title="Now">
        <dl className={classes.tiles}>
          <Tile
            name="Unknown, being checked"
            value={countText(doubt.count)}
            tone={doubt.count > 0 ? "doubt" : undefined}
          >
            {doubt.oldest_at ? <>oldest {ageText(doubt.oldest_at, nowMs)}</> : "none"}
            <Amounts of={doubt.sums} none="" />
          </Tile>
          <Tile
            name="Needs you"
            value={countText(held.count)}
            tone={held.count > 0 ? "alarm" : undefined}
          >
            {held.oldest_at ? <>oldest {ageText(held.oldest_at, nowMs)}</> : "none"}
            <Amounts of={held.sums} none="" />
          </Tile>
          <Tile name="Sends per second" value={String(seen.sends_per_second)}>
            in the last minute
          </Tile>
          <Tile name="Answer takes" value={seen.p50_ms === null ? "–" : `${seen.p50_ms} ms`}>
            {seen.p95_ms === null
              ? "nothing was sent lately"
              : `95 of 100 within ${seen.p95_ms} ms`}
          </Tile>
          <Tile name="Jobs waiting" value={waiting === undefined ? "?" : countText(waiting)}>
            {waits ? <>oldest {ageText(waits, nowMs)}</> : queue.queues ? "none" : "not reachable"}
          </Tile>
          <Tile
            name="Workers"
            value={String(alive.length)}
            tone={alive.length === 0 ? "bad" : undefined}
          >
            {swept ? <>swept {ageText(swept, nowMs)} ago</> : "no sweep yet"}
          </Tile>
          <Tile name="Callbacks" value={countText(counts.callbacks)}>
            {countText(counts.stray_callbacks)} about foreign codes, in 10 min
          </Tile>
          <Tile name="Gateway's clock" value={offset ? secondsText(offset.gateway_offset_ms) : "–"}>
            database {secondsText(seen.ledger.clock_offset_ms)}
          </Tile>
        </dl>
      </Section>
      <Section title="Answers to payouts in ten minutes">
        <dl className={classes.answers}>
          {ANSWERS.map(({ key, name }) => (
            <div key={key} data-some={counts[key] > 0 || undefined}>
              <dt>{name}</dt>
              <dd className="tabular">{countText(counts[key])}</dd>
            </div>
          ))}
        </dl>
        {held.by_cause.length === 0 ? null : <Causes held={held} />}
      </Section>
    </>
  );
}

const ANSWERS = [
  { key: "accepted", name: "accepted by gateway" },
  { key: "refused_row", name: "row refused" },
  { key: "refused_system", name: "refused for now" },
  { key: "not_sent", name: "gateway not reached" },
  { key: "ambiguous", name: "no clear answer" },
  { key: "duplicate", name: "code known (111)" },
  { key: "unmapped", name: "cannot be read" },
  { key: "asked", name: "questions asked" },
  { key: "unread_status", name: "status cannot be read" },
] as const;

/** Seconds are shown to a tenth: what rounds to none is no minus. */
const TENTH_MS = 100;
const secondsText = (ms: number | null): string =>
  ms === null ? "–" : `${ms > -TENTH_MS / 2 ? "+" : "−"}${(Math.abs(ms) / 1_000).toFixed(1)} s`;

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

const Causes = ({ held }: { readonly held: Seen["held"] }) => (
  <details>
    <summary>Why {countText(held.count)} need a person</summary>
    <ul className={classes.causes}>
      {held.by_cause.map(({ cause, text, count }) => (
        <li key={cause}>
          <strong className="tabular">{countText(count)}</strong> {text}
        </li>
      ))}
    </ul>
  </details>
);
