import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isZero, type Money } from "../../../base/money.ts";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import { FIVE_ON_PHONE, useFoldedRows } from "../../../components/folded-rows.tsx";
import { useLaneName } from "../../../components/payout/lane-name.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { usePerson } from "../../../server/session.ts";
import { call } from "../../../server/client.ts";
import { sizesOf } from "../../reconciliation/break-amounts.ts";
import classes from "./action-required.module.css";
import shared from "./home.module.css";
import { messages } from "./messages.tsx";
import type { HomeTasks } from "./queries.ts";
import { reconciliationTasks } from "./reconciliation-tasks.ts";
import { type ProposedAction, type Task, tasksOf } from "./tasks.ts";
import { durationText } from "./time-text.ts";

const texts = messages.tasks;

const TASKS_FOLD = { ...FIVE_ON_PHONE, label: texts.showAll };

/** The list of what the reader can do, each with its payouts and one button. */
export function ActionRequired({
  home,
  proposed,
}: {
  readonly home: HomeTasks;
  readonly proposed: readonly ProposedAction[];
}) {
  const nowMs = useNow();
  const reconciliation = reconciliationTasks(home.reconciliation, {
    differences: useDifferences(home.reconciliation.breaks.count),
    nowMs,
    laneName: useLaneName(),
  });
  const actor = `user:${usePerson()?.id ?? ""}`;
  const tasks = tasksOf(home, proposed, actor, nowMs, reconciliation);
  const folded = useFoldedRows(tasks, TASKS_FOLD);
  return (
    <Section
      title={texts.title}
      isFlush
      badge={
        tasks.length === 0 ? null : (
          <span className={shared.badge} data-tone="awaiting">
            {texts.items(tasks.length)}
          </span>
        )
      }
    >
      {tasks.length === 0 ? (
        <CaughtUp next={home.next_runs[0]} nowMs={nowMs} />
      ) : (
        <>
          <ul className={classes.tasks}>
            {folded.rows.map((task, at) => (
              <TaskRow key={task.key} task={task} isFirst={at === 0} />
            ))}
          </ul>
          {folded.button}
        </>
      )}
    </Section>
  );
}

/** The sums of the differences without their signs, if all open breaks are on one page. */
function useDifferences(count: number): readonly Money[] {
  const { data } = useQuery({
    queryKey: ["GET /api/breaks", "open", count],
    queryFn: ({ signal }) =>
      call("GET /api/breaks", { query: { state: "open", limit: BREAKS_MAX }, signal }),
    enabled: count > 0 && count <= BREAKS_MAX,
  });
  if (!data) return [];
  const { payouts, balances } = sizesOf(data.items);
  return (payouts.length > 0 ? payouts : balances).filter((sum) => !isZero(sum));
}

const BREAKS_MAX = 100;

/** One task. The button of the first one is the primary button of the page. */
function TaskRow({ task, isFirst }: { readonly task: Task; readonly isFirst: boolean }) {
  const { icon: Icon, tone, title, text, sums, payouts, age, to, verb, actTo } = task;
  return (
    <li className={classes.task}>
      <span className={classes.icon} data-tone={tone}>
        <Icon size={18} aria-hidden />
      </span>
      <span className={classes.words}>
        <PageLink to={to}>{title}</PageLink>
        <span className={classes.caption}>{text}</span>
      </span>
      <span className={classes.amount}>
        {sums.length === 0 && payouts === 0 ? null : <AmountSummary of={sums} payouts={payouts} />}
      </span>
      <span className={classes.age}>{age}</span>
      <Button
        component={Link}
        to={actTo}
        size="sm"
        variant={isFirst ? "filled" : "default"}
        aria-label={`${verb}: ${title}`}
        className={classes.button}
      >
        {verb}
      </Button>
    </li>
  );
}

function CaughtUp({
  next,
  nowMs,
}: {
  readonly next: HomeTasks["next_runs"][number] | undefined;
  readonly nowMs: number;
}) {
  const time = next && messages.next.inTime(durationText(Date.parse(next.at) - nowMs));
  return (
    <div className={classes.caughtUp}>
      <strong>{texts.caughtUp}</strong>
      {next && time ? <span>{texts.nextRun(next.name, time)}</span> : null}
    </div>
  );
}
