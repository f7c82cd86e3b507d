import { FIVE_ON_PHONE, useFoldedRows } from "../../../components/folded-rows.tsx";
import { Section } from "../../../components/section.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import classes from "./home.module.css";
import { messages } from "./messages.tsx";
import type { HomeTasks } from "./queries.ts";
import { durationText, localParts } from "./time-text.ts";

const texts = messages.next;

type Run = HomeTasks["next_runs"][number];

/** A run within this time needs attention now. */
const SOON_MS = 2 * 3_600_000;

const RUNS_FOLD = { ...FIVE_ON_PHONE, label: texts.showAll };

/** The next cut-offs, scheduled batches and occurrences of schedules. */
export function NextRuns({ runs }: { readonly runs: readonly Run[] }) {
  const nowMs = useNow();
  const folded = useFoldedRows(runs, RUNS_FOLD);
  return (
    <Section
      title={texts.title}
      isFlush
      actions={<PageLink to="/schedules">{texts.calendar}</PageLink>}
    >
      {runs.length === 0 ? (
        <p className={classes.empty}>{texts.empty}</p>
      ) : (
        <>
          <ul className={classes.runs}>
            {folded.rows.map((run) => (
              <RunRow key={`${run.kind} ${run.name} ${run.at}`} run={run} nowMs={nowMs} />
            ))}
          </ul>
          {folded.button}
        </>
      )}
    </Section>
  );
}

function RunRow({ run, nowMs }: { readonly run: Run; readonly nowMs: number }) {
  const { says, kind, name, batch_id, at } = run;
  const { day, time, zone } = localParts(says);
  const aheadMs = Date.parse(at) - nowMs;
  const isUrgent = kind === "cut_off" && aheadMs < SOON_MS && (run.payouts ?? 0) > 0;
  return (
    <li>
      <span className={classes.when}>
        {time}
        <small>{day}</small>
        <small>{zone}</small>
      </span>
      <span className={classes.run}>
        {batch_id === null ? (
          <strong>
            <UserText text={name} />
          </strong>
        ) : (
          <PageLink to={`/batches/${batch_id}`}>
            <UserText text={name} />
          </PageLink>
        )}{" "}
        <small>{texts.kinds[kind]}</small>
        <small className={classes.line}>{detailOf(run)}</small>
      </span>
      <span className={classes.ahead} data-tone={isUrgent ? "awaiting" : undefined}>
        {texts.inTime(durationText(aheadMs))}
      </span>
    </li>
  );
}

function detailOf({ kind, payouts, state }: Run): string {
  if (kind === "recurring") return texts.schedule;
  if (kind === "scheduled") {
    const count = messages.payouts(payouts ?? 0);
    return state === "unapproved" || state === "blocked" || state === "paused"
      ? texts[state](count)
      : count;
  }
  return payouts ? texts.toApprove(payouts) : texts.allApproved;
}
