import { CalendarCheck, FileWarning, Scale, Stamp } from "lucide-react";
import { dateText } from "../../../base/dates.ts";
import type { Money } from "../../../base/money.ts";
import { isolateDirection } from "../../../base/text.ts";
import { dayAddress } from "../../reconciliation/search-params.ts";
import { messages } from "./messages.tsx";
import type { HomeTasks } from "./queries.ts";
import type { Task } from "./tasks.ts";
import { sinceText } from "./time-text.ts";

const texts = messages.tasks;

type Waiting = HomeTasks["reconciliation"];

/** The tasks of the reader in reconciliation. */
export function reconciliationTasks(
  { breaks, break_proposals: resolutions, statements, days }: Waiting,
  {
    differences,
    nowMs,
    laneName,
  }: {
    /** The sums of the open breaks; empty if they are not known. */
    readonly differences: readonly Money[];
    readonly nowMs: number;
    readonly laneName: (lane: string) => string;
  },
): readonly Task[] {
  const found: Task[] = statements.map(({ id, lane, day, by, since }) => ({
    ...NO_AMOUNT,
    key: `statement:${id}`,
    icon: Stamp,
    tone: "awaiting",
    title: texts.statement.title(dateText(day)),
    text: texts.statement.text(isolateDirection(by), laneName(lane)),
    age: texts.waiting(sinceText(since, nowMs)),
    verb: texts.statement.verb,
    ...toBoth(`/reconciliation?${new URLSearchParams({ lane, day }).toString()}`),
  }));
  if (breaks.count > 0) {
    found.push({
      ...NO_AMOUNT,
      key: "breaks",
      icon: Scale,
      tone: "hold",
      title: texts.breaks.title(breaks.count),
      text: texts.breaks.text,
      sums: differences,
      age: breaks.oldest_at === null ? "" : texts.oldest(sinceText(breaks.oldest_at, nowMs)),
      verb: texts.breaks.verb,
      ...toBoth("/reconciliation?state=open"),
    });
  }
  if (resolutions > 0) {
    found.push({
      ...NO_AMOUNT,
      key: "break-resolutions",
      icon: FileWarning,
      tone: "awaiting",
      title: texts.breakProposals.title(resolutions),
      text: texts.breakProposals.text,
      verb: texts.breakProposals.verb,
      ...toBoth("/reconciliation?state=proposed"),
    });
  }
  const closes = days.map(
    ({ lane, day, has_statement: has }): Task => ({
      ...NO_AMOUNT,
      key: `day:${lane}:${day}`,
      icon: CalendarCheck,
      tone: "awaiting",
      title: texts.day.title(dateText(day)),
      text: texts.day.text(laneName(lane), has),
      verb: texts.day.verb,
      ...toBoth(dayAddress(day, lane)),
    }),
  );
  return [...found, ...closes];
}

const NO_AMOUNT = { sums: [], payouts: 0, age: "" };

const toBoth = (to: string) => ({ to, actTo: to });
