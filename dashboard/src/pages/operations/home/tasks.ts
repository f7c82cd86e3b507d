import {
  CircleX,
  CopyX,
  FileWarning,
  type LucideIcon,
  OctagonAlert,
  PencilLine,
  Stamp,
  TriangleAlert,
  UserCheck,
} from "lucide-react";
import type { Money } from "../../../base/money.ts";
import type { Tone } from "../../../base/state.ts";
import { capitalized, isolateDirection } from "../../../base/text.ts";
import { messages } from "./messages.tsx";
import type { PayoutAction } from "../../payout-action/action-query.ts";
import type { HomeTasks } from "./queries.ts";
import { sinceText } from "./time-text.ts";

const texts = messages.tasks;

/** One thing that the reader can do, with a link to exactly its rows. */
export interface Task {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  readonly sums: readonly Money[];
  readonly payouts: number;
  readonly age: string;
  /** The page of the rows. */
  readonly to: string;
  readonly verb: string;
  /** The page of the button. */
  readonly actTo: string;
}

type BatchKind = "approve" | "draft" | "correct" | "duplicates" | "retry";
type TaskBatch = HomeTasks[BatchKind]["batches"][number];

interface BatchTasks {
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly title: (batch: TaskBatch) => string;
  readonly text: (batch: TaskBatch) => string;
  readonly age: (time: string) => string;
  readonly rows: (id: string) => string;
  readonly act: (id: string) => string;
  /** The list of all these batches. */
  readonly all: (actor: string) => string;
}

const nameOf = ({ name }: TaskBatch): string => isolateDirection(name);

const KINDS: Readonly<Record<BatchKind, BatchTasks>> = {
  approve: {
    icon: Stamp,
    tone: "awaiting",
    title: (batch) => texts.approve.title(nameOf(batch)),
    text: ({ payouts, maker }) => texts.approve.text(payouts, isolateDirection(maker)),
    age: texts.waiting,
    rows: (id) => `/batches/${id}/approval`,
    act: (id) => `/batches/${id}/approval`,
    all: () => "/approvals",
  },
  draft: {
    icon: PencilLine,
    tone: "draft",
    title: (batch) => texts.draft.title(nameOf(batch)),
    text: ({ payouts }) => texts.draft.text(payouts),
    age: texts.uploaded,
    rows: (id) => `/batches/${id}`,
    act: (id) => `/batches/${id}`,
    all: (actor) => `/batches?state=draft&maker=${actor}`,
  },
  correct: {
    icon: FileWarning,
    tone: "hold",
    title: (batch) => texts.correct.title(nameOf(batch)),
    text: ({ rejected }) => texts.correct.text(rejected),
    age: texts.uploaded,
    rows: (id) => `/batches/${id}/file`,
    act: (id) => `/batches/${id}/file`,
    all: (actor) => `/batches?state=needs_correction&maker=${actor}`,
  },
  duplicates: {
    icon: CopyX,
    tone: "hold",
    title: (batch) => texts.duplicates.title(nameOf(batch)),
    text: () => texts.duplicates.text,
    age: texts.waiting,
    rows: (id) => `/batches/${id}/approval`,
    act: (id) => `/batches/${id}/approval`,
    all: () => "/batches?task=duplicates",
  },
  retry: {
    icon: CircleX,
    tone: "declined",
    title: (batch) => texts.retry.title(batch.payouts, nameOf(batch)),
    text: () => texts.retry.text,
    age: texts.declinedSince,
    rows: (id) => `/payouts?state=declined&batch=${id}`,
    act: (id) => `/batches/${id}/retry`,
    all: () => "/batches?task=retry",
  },
};

const NO_AMOUNT = { sums: [], payouts: 0, age: "" };

function batchTasks(kind: BatchKind, home: HomeTasks, actor: string, nowMs: number): Task[] {
  const { icon, tone, title, text, age, rows, act, all } = KINDS[kind];
  const { verb, whole } = texts[kind];
  const { count, batches } = home[kind];
  const shown = batches.map((batch) => ({
    key: `${kind} ${batch.batch_id}`,
    icon,
    tone,
    title: title(batch),
    text: text(batch),
    sums: batch.sums,
    payouts: batch.payouts,
    age: age(sinceText(batch.since, nowMs)),
    to: rows(batch.batch_id),
    verb,
    actTo: act(batch.batch_id),
  }));
  if (count <= batches.length) return shown;
  const to = all(actor);
  const rest = { ...NO_AMOUNT, key: kind, icon, tone, title: whole(count), text: "" };
  return [...shown, { ...rest, to, verb: texts.show, actTo: to }];
}

const payoutTasks = (
  payouts: HomeTasks["resolutions"],
  { title, text, verb }: typeof texts.resolution,
): Task[] =>
  payouts.map(({ transaction_code: code, ...money }) => {
    const to = `/payouts/${encodeURIComponent(code)}`;
    return {
      key: code,
      icon: Stamp,
      tone: "awaiting",
      title: title(code),
      text,
      sums: [money],
      payouts: 1,
      age: "",
      to,
      verb,
      actTo: to,
    };
  });

/** A bulk action that the reader may confirm. */
export type ProposedAction = Pick<
  PayoutAction,
  "id" | "created_by" | "applied_at" | "qualifying" | "changed"
>;

function proposedTask(
  { id, created_by: by, applied_at: at, qualifying, changed }: ProposedAction,
  nowMs: number,
): Task {
  const { count, totals } = changed ?? qualifying;
  const to = `/payout-actions/${id}`;
  return {
    key: id,
    icon: Stamp,
    tone: "awaiting",
    title: texts.proposed.title(count),
    text: texts.proposed.text(isolateDirection(by.name)),
    sums: totals,
    payouts: count,
    age: at === null ? "" : texts.waiting(sinceText(at, nowMs)),
    to,
    verb: texts.proposed.verb,
    actTo: to,
  };
}

function heldTask({ on_hold }: HomeTasks, nowMs: number): Task[] {
  const { count, sums, oldest_at } = on_hold;
  if (count === 0) return [];
  const to = "/payouts?state=on_hold";
  return [
    {
      key: "on_hold",
      icon: OctagonAlert,
      tone: "hold",
      title: texts.onHold.title(count),
      text: texts.onHold.text,
      sums,
      payouts: count,
      age: oldest_at === null ? "" : texts.oldest(sinceText(oldest_at, nowMs)),
      to,
      verb: texts.onHold.verb,
      actTo: to,
    },
  ];
}

type Alarm = HomeTasks["alarms"][number];

/** The tab of Operations on which an alarm is handled, where that is not Health. */
const TABS: Readonly<Partial<Record<Alarm["code"], string>>> = {
  lane_needs_person: "lanes",
  no_workers: "workers",
  no_sweep: "workers",
  queue_unavailable: "workers",
  queue_evicts: "workers",
};

function alarmTask({ code, says, title, detail, about }: Alarm): Task {
  const tab = TABS[code];
  const operations = tab === undefined ? "/operations" : `/operations?tab=${tab}`;
  const hasRows = about !== null && about.payouts > 0;
  const batch = about?.payouts_filter.batch;
  const rows = hasRows
    ? `/payouts?${new URLSearchParams(about.payouts_filter).toString()}`
    : operations;
  return {
    key: says,
    icon: TriangleAlert,
    tone: "declined",
    title: capitalized(title),
    text: detail ?? "",
    sums: about?.sums ?? [],
    payouts: about?.payouts ?? 0,
    age: "",
    to: rows,
    ...(batch === undefined
      ? { verb: texts.alarm.verb, actTo: operations }
      : { verb: texts.alarm.batchVerb, actTo: `/batches/${batch}` }),
  };
}

const changeTask = (
  { id, says, proposed_by, since, creates_link }: HomeTasks["pending_changes"][number],
  nowMs: number,
): Task => ({
  ...NO_AMOUNT,
  key: id,
  icon: UserCheck,
  tone: "awaiting",
  title: isolateDirection(says),
  text: texts.change.text(isolateDirection(proposed_by), creates_link),
  age: texts.change.since(sinceText(since, nowMs)),
  to: "/settings/users",
  verb: texts.change.verb,
  actTo: "/settings/users",
});

/** All tasks, those that stop or delay payouts first. */
export const tasksOf = (
  home: HomeTasks,
  proposed: readonly ProposedAction[],
  actor: string,
  nowMs: number,
  reconciliation: readonly Task[],
): readonly Task[] => [
  ...home.alarms.map(alarmTask),
  ...batchTasks("approve", home, actor, nowMs),
  ...batchTasks("draft", home, actor, nowMs),
  ...batchTasks("correct", home, actor, nowMs),
  ...batchTasks("duplicates", home, actor, nowMs),
  ...heldTask(home, nowMs),
  ...proposed.map((action) => proposedTask(action, nowMs)),
  ...payoutTasks(home.resolutions, texts.resolution),
  ...payoutTasks(home.wait_endings, texts.waitEnding),
  ...reconciliation,
  ...home.pending_changes.map((change) => changeTask(change, nowMs)),
  ...batchTasks("retry", home, actor, nowMs),
];

/** The tasks in one line: "1 draft to send for approval · 2 batches to approve". */
export function summaryOf(home: HomeTasks, proposed: readonly ProposedAction[]): string {
  const proposals = home.resolutions.length + home.wait_endings.length + proposed.length;
  const { breaks, break_proposals: resolutions, statements, days } = home.reconciliation;
  const counts = [
    [home.alarms.length, messages.summary.alarms],
    [home.draft.count, messages.summary.draft],
    [home.approve.count, messages.summary.approve],
    [home.correct.count, messages.summary.correct],
    [home.duplicates.count, messages.summary.duplicates],
    [home.on_hold.count, messages.summary.onHold],
    [proposals, messages.summary.proposals],
    [breaks.count + resolutions, messages.summary.breaks],
    [statements.length, messages.summary.statements],
    [days.length, messages.summary.days],
    [home.pending_changes.length, messages.summary.changes],
    [home.retry.count, messages.summary.retry],
  ] as const;
  const shown = counts.flatMap(([count, text]) => (count === 0 ? [] : [text(count)]));
  return shown.length === 0 ? messages.summary.nothing : shown.join(" · ");
}
