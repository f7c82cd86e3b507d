/** Compares the preview and the effect of an action on several breaks with the model. */
import { createHash } from "node:crypto";
import {
  type Action,
  after,
  type BreakEventRow,
  type Filter,
  type KnownBreak,
  selectedBy,
  shownSums,
  sumsOf,
  whyLeft,
  whyNot,
} from "./model.ts";
import type { AuditFacts, Kept, Snapshot } from "./snapshot.ts";

interface Left {
  readonly reason: string;
  readonly count: number;
}

/** The fields of a stored action that people see. */
interface ShownAction {
  readonly selected: number;
  readonly qualifying: AuditFacts["kinds"];
  readonly excluded: readonly Left[];
  readonly digest: string;
  readonly changed: number | null;
  readonly left: readonly Left[] | null;
}

/** One action and everything around it. */
export interface ActionRun {
  readonly action: Action;
  readonly actor: string;
  readonly chosen: readonly number[] | Filter;
  /** The assignee or the explanation; "" for a decision. */
  readonly input: string;
  readonly preview: ShownAction;
  readonly applied: ShownAction;
  /** At the preview, directly before the action was applied, and at the end. */
  readonly seen: Snapshot;
  readonly before: Snapshot;
  readonly end: Snapshot;
  /** Between the last two. */
  readonly events: readonly BreakEventRow[];
  readonly kept: Kept;
}

/** Counts reasons, as texts in order. */
const counted = (reasons: readonly string[]): readonly string[] =>
  [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, same]) => `${reason} ${same.length}`)
    .toSorted();
const shownLeft = (left: readonly Left[]): readonly string[] =>
  left.map(({ reason, count }) => `${reason} ${count}`).toSorted();

function different(what: string, expected: unknown, found: unknown): readonly string[] {
  const [wanted, is] = [JSON.stringify(expected), JSON.stringify(found)];
  return wanted === is ? [] : [`${what}: expected ${wanted}, found ${is}`];
}

/** Returns every contradiction between the model and what the ledger did. */
export function contradictionsOf(run: ActionRun): readonly string[] {
  const { action, actor, chosen, seen } = run;
  const selected = selectedBy(chosen, seen.breaks);
  const qualifying = selected.filter((each) => whyNot(action, actor, each) === null);
  return [
    ...previewProblems(run, selected, qualifying),
    ...effectProblems(run, qualifying),
    ...unselectedProblems(run, new Set(qualifying.map(({ id }) => id))),
  ];
}

const isDecision = ({ action }: Pick<ActionRun, "action">): boolean =>
  action === "confirm" || action === "reject";

/** The line of a break in the list of an action. */
const listed = (run: ActionRun, { id, version, proposal }: KnownBreak): readonly number[] =>
  isDecision(run) ? [id, version, proposal?.id ?? 0] : [id, version];

function previewProblems(
  run: ActionRun,
  selected: readonly KnownBreak[],
  qualifying: readonly KnownBreak[],
): readonly string[] {
  const { action, actor, preview } = run;
  const excluded = selected.flatMap((each) => whyNot(action, actor, each) ?? []);
  const list = qualifying.map((each) => listed(run, each).join(" ")).join("\n");
  const digest = createHash("sha256").update(list).digest("hex");
  return [
    ...different("selected", selected.length, preview.selected),
    ...different("previewed sums", sumsOf(qualifying), shownSums(preview.qualifying)),
    ...different("excluded", counted(excluded), shownLeft(preview.excluded)),
    ...different("digest", digest, preview.digest),
  ];
}

/** The event that an action records. */
const EVENTS = {
  assign: "assigned",
  propose: "proposed",
  confirm: "resolved",
  reject: "refused",
} as const;

function effectProblems(run: ActionRun, qualifying: readonly KnownBreak[]): readonly string[] {
  const { kept, applied } = run;
  const problems: string[] = [];
  const changed: KnownBreak[] = [];
  const left: string[] = [];
  for (const each of qualifying) {
    const outcome = kept.outcomes.get(each.id) ?? "none";
    const found = courseOf(run, each);
    if (outcome === "changed") changed.push(each);
    else left.push(outcome);
    if (!found.allowed.includes(outcome)) {
      problems.push(`break ${each.id}: ${outcome}, but allowed: ${found.allowed.join(", ")}`);
    }
    problems.push(...found.problems);
  }
  const [line, ...others] = kept.lines;
  return [
    ...problems,
    ...different("outcomes", qualifying.length, kept.outcomes.size),
    ...different("changed", changed.length, applied.changed),
    ...different("left", counted(left), shownLeft(applied.left ?? [])),
    ...different("further audit lines", 0, others.length),
    ...different(
      "listed on the audit log",
      changed.map((each) => listed(run, each)),
      line?.breaks,
    ),
    ...different("sums on the audit log", sumsOf(changed), shownSums(line?.kinds ?? [])),
    ...different("left on the audit log", counted(left), shownLeft(line?.left ?? [])),
  ];
}

/** The outcomes that the course of a previewed break allows, and what is wrong with its event. */
function courseOf(
  run: ActionRun,
  seen: KnownBreak,
): { readonly allowed: readonly string[]; readonly problems: readonly string[] } {
  const { action, actor, input, before, events, kept } = run;
  let now = before.breaks.get(seen.id);
  if (!now) return { allowed: [], problems: [`break ${seen.id} is gone`] };
  const whys = [whyLeft(action, actor, { now, seen })];
  for (const event of events.filter(({ breakId }) => breakId === seen.id)) {
    if (event.actor === actor) {
      const why = whyLeft(action, actor, { now, seen });
      const expected = [EVENTS[action], why === null ? "qualifies" : why];
      const text = isDecision(run) || event.text === input ? [] : ["another text"];
      const decided = seen.proposal && isDecision(run) ? kept.decided.get(seen.id) : undefined;
      const outcome = action === "confirm" ? "agreed" : "refused";
      return {
        allowed: ["changed"],
        problems: [
          ...different(`break ${seen.id}`, expected, [event.event, "qualifies"]),
          ...different(`text of break ${seen.id}`, [], text),
          ...(isDecision(run)
            ? different(`decision about ${seen.id}`, { outcome, by: actor }, decided)
            : []),
        ],
      };
    }
    now = after(now, event);
    whys.push(whyLeft(action, actor, { now, seen }));
  }
  // The action was applied at one of these places. It would have changed the break where it could.
  return { allowed: [...new Set(whys.flatMap((why) => why ?? []))], problems: [] };
}

/** The action changes only its own breaks, and the events explain the state of every break. */
function unselectedProblems(run: ActionRun, own: ReadonlySet<number>): readonly string[] {
  const { actor, before, end, events } = run;
  const byBreak = Map.groupBy(events, ({ breakId }) => breakId);
  return [...end.breaks.values()].flatMap((found) => {
    const known = before.breaks.get(found.id);
    const course = byBreak.get(found.id) ?? [];
    const mine = course.filter((event) => event.actor === actor);
    const problems = mine.length > (own.has(found.id) ? 1 : 0) ? [`${mine.length} changes`] : [];
    if (known) {
      const { state, version, assignee, proposal } = course.reduce(after, known);
      const by = state === "proposed" ? (proposal?.by ?? null) : null;
      const isBy = found.state === "proposed" ? (found.proposal?.by ?? null) : null;
      problems.push(
        ...different(
          "state",
          [state, version, assignee, by],
          [found.state, found.version, found.assignee, isBy],
        ),
      );
    }
    return problems.map((problem) => `break ${found.id}: ${problem}`);
  });
}
