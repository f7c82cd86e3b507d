import type { Tone } from "../../base/state.ts";
import type { BuiltInView } from "./list-views.tsx";

/** A view of the rows in some states. */
export interface StateView<Key extends string, State extends string = string> {
  readonly key: Key;
  readonly states: readonly State[];
  readonly tone?: Tone;
}

/**
 * Returns the built-in views of a list, the first of which shows the rows in all states. A view
 * changes the states and keeps the other filters, by which its rows are counted.
 *
 * @param counts the number of rows by state; undefined if they are not counted
 */
export function viewsByState<Key extends string>(
  views: readonly StateView<Key>[],
  {
    labels,
    state = "",
    counts,
    addressOf,
  }: {
    readonly labels: Readonly<Record<Key | "all", string>>;
    /** The states that the page's address names. */
    readonly state: string | undefined;
    readonly counts: ReadonlyMap<string, number> | undefined;
    readonly addressOf: (state: string | undefined) => object;
  },
): readonly BuiltInView[] {
  const asked = keyOf(state.split(","));
  const countOf = (names: Iterable<string>) =>
    counts && [...names].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const all = {
    key: "all",
    label: labels.all,
    search: addressOf(undefined),
    isCurrent: asked === "",
    count: countOf(counts?.keys() ?? []),
  };
  return [
    all,
    ...views.map(({ key, states, ...rest }) => ({
      key,
      label: labels[key],
      search: addressOf(states.join()),
      isCurrent: asked === keyOf(states),
      count: countOf(states),
      ...rest,
    })),
  ];
}

const keyOf = (states: readonly string[]): string => states.toSorted().join();
