import { VisuallyHidden } from "@mantine/core";
import { type CSSProperties, Fragment } from "react";
import type { Answer } from "../../server/client.ts";
import { formatAmountsIn } from "../../base/money.ts";
import { formatTimesIn } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import { UserText } from "../user-text.tsx";
import classes from "./timeline.module.css";
import { Timestamp } from "../timestamp.tsx";
import { detailMessages } from "../detail-messages.tsx";

const texts = detailMessages.timeline;

type PayoutView = Answer<"GET /api/payouts/:code">;
type TimelineEntry = PayoutView["timeline"][number];

/** A payout or a deposit, with its history and next step. */
interface Entries {
  readonly timeline: readonly TimelineEntry[];
  readonly outlook: Pick<PayoutView["outlook"], "next" | "next_at">;
}

/** The name of the processes of payrun, which no entry repeats. */
const PAYRUN = "payrun";

const formatValuesIn = (text: string): string => formatTimesIn(formatAmountsIn(text));

const TONES = { plain: "draft", attention: "hold", proof: "settled" } as const;
/** Shorter pauses are not drawn. */
const GAP_MIN_MS = 2_000;

/**
 * The history in order. Longer pauses are drawn longer, and entries that need attention are
 * highlighted.
 */
export function Timeline({ of: { timeline, outlook } }: { readonly of: Entries }) {
  const runs = groupRepeated(timeline);
  return (
    <ol className={classes.timeline}>
      {runs.map((run, at) => {
        const [first] = run;
        const before = runs[at - 1]?.at(-1);
        const gapMs = before ? Date.parse(first.at) - Date.parse(before.at) : 0;
        return (
          <Fragment key={`${first.at} ${first.kind} ${first.title}`}>
            {gapMs >= GAP_MIN_MS ? <Gap gapMs={gapMs} /> : null}
            {run.length > 2 ? (
              <Repeated run={run} />
            ) : (
              run.map((entry) => <Entry key={entry.at} entry={entry} />)
            )}
          </Fragment>
        );
      })}
      {outlook.next_at ? (
        <li className={classes.entry} data-small>
          <EntryIcon tone="plain" />
          <div className={classes.body}>
            <p className={classes.title}>{outlook.next}</p>
            <span className={classes.when}>
              <Timestamp seconds at={outlook.next_at} />
            </span>
          </div>
        </li>
      ) : null}
    </ol>
  );
}

type EntryGroup = readonly [TimelineEntry, ...TimelineEntry[]];

/** Groups equal status queries in a row, which are shown once with their number. */
function groupRepeated(timeline: readonly TimelineEntry[]): EntryGroup[] {
  const runs: [TimelineEntry, ...TimelineEntry[]][] = [];
  for (const entry of timeline) {
    const run = runs.at(-1);
    const isSame =
      run?.[0].kind === "status_query" &&
      run[0].title === entry.title &&
      run[0].text === entry.text;
    if (run && isSame) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function Repeated({ run }: { readonly run: EntryGroup }) {
  const [{ title, at, tone, ...first }] = run;
  const text = first.text && formatValuesIn(first.text);
  return (
    <li className={classes.entry} data-small>
      <EntryIcon tone={tone} />
      <div className={classes.body}>
        <p className={classes.title}>{texts.repeated(title, run.length)}</p>
        {text ? <p className={classes.text}>{text}</p> : null}
        <span className={classes.when}>
          {texts.period(
            <Timestamp seconds at={at} relative={false} />,
            <Timestamp seconds at={run.at(-1)?.at ?? at} relative={false} />,
          )}
        </span>
        <details>
          <summary>
            {texts.eachTime}
            <VisuallyHidden>{texts.of(title)}</VisuallyHidden>
          </summary>
          <ol className={classes.timeline}>
            {run.map((each) => (
              <Entry key={each.at} entry={each} />
            ))}
          </ol>
        </details>
      </div>
    </li>
  );
}

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const { at, kind, title, actor, tone, facts } = entry;
  const text = entry.text && formatValuesIn(entry.text);
  const person = actor === null || actor === PAYRUN ? null : isolateDirection(actor);
  return (
    <li
      className={classes.entry}
      data-attention={tone === "attention" || undefined}
      data-proven={tone === "proof" || undefined}
      data-small={kind === "change" || kind === "person" ? undefined : true}
    >
      <EntryIcon tone={tone} />
      <div className={classes.body}>
        <p className={classes.title}>{person === null ? title : texts.by(title, person)}</p>
        {text ? <p className={classes.text}>{text}</p> : null}
        <span className={classes.when}>
          <Timestamp seconds at={at} relative={false} />
        </span>
        {facts.length > 0 ? (
          <details>
            <summary>
              {texts.evidence}
              <VisuallyHidden>{texts.of(title)}</VisuallyHidden>
            </summary>
            <dl className={classes.facts}>
              {facts.map(({ name, value }) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <UserText text={value} />
                  </dd>
                </Fragment>
              ))}
            </dl>
          </details>
        ) : null}
      </div>
    </li>
  );
}

const EntryIcon = ({ tone }: { readonly tone: TimelineEntry["tone"] }) => (
  <div className={classes.rail} data-tone={TONES[tone]} aria-hidden>
    <span className={classes.dot} />
  </div>
);

/**
 * A pause. Its height grows with the logarithm of the duration, so that seconds and days fit on one
 * page.
 */
function Gap({ gapMs }: { readonly gapMs: number }) {
  const height = 0.9 + Math.log10(gapMs / GAP_MIN_MS) * 0.75;
  return (
    <li className={classes.gap} style={{ "--gap": `${height.toFixed(2)}rem` } as CSSProperties}>
      <div className={classes.rail} aria-hidden />
      <span className={classes.pause}>{laterText(gapMs)}</span>
    </li>
  );
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

function laterText(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? ["second", 1_000];
  return texts.later[unit](Math.round(ms / size));
}
