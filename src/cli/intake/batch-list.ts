import { printable } from "#base/invisible-characters.ts";
import { BATCH_STATES, type BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { BatchDocument } from "#cli/batch/batches.ts";
import { styled, table } from "#cli/terminal/output.ts";

const HEADINGS = ["batch", "state", "rows", "total", "created (UTC)", "name"];
/** Width of a list that is not printed on a terminal. */
const WIDTH = 100;
/** Width that a name has even on a narrow terminal. */
const NAME_MIN = 12;

/** Formats batches as a table in which long names are cut to fit the terminal. */
export function batchList(batches: readonly BatchDocument[], width = WIDTH): string {
  const others = [
    HEADINGS.slice(0, -1),
    ...batches.map((batch) => [
      batch.batch_id,
      BATCH_STATES[batch.state].word,
      String(batch.rows),
      totalOf(batch),
      batch.created_at.slice(0, 16).replace("T", " "),
    ]),
  ];
  const right = new Set([2]);
  const used = Math.max(
    ...table(others, right)
      .split("\n")
      .map((line) => line.length),
  );
  const nameMax = Math.max(width - used - 2, NAME_MIN);
  const names = [
    HEADINGS.at(-1) ?? "",
    ...batches.map(({ name, file }) => printable(name ?? file)),
  ];
  const rows = others.map((cells, at) => [...cells, cut(names[at] ?? "", nameMax)]);
  return table(rows, right)
    .split("\n")
    .map((line, at) => coloured(line, batches[at - 1]?.state))
    .join("\n");
}

const STATE_COLOURS: Readonly<Partial<Record<BatchState, "green" | "yellow" | "red">>> = {
  needs_correction: "red",
  paused: "yellow",
  finished: "green",
  finished_with_exceptions: "yellow",
};

/** Colours the state in a line of the list, on a terminal only. */
function coloured(line: string, state: BatchState | undefined): string {
  const colour = state && STATE_COLOURS[state];
  if (!colour) return line;
  const { word } = BATCH_STATES[state];
  return line.replace(` ${word} `, ` ${styled(colour, word)} `);
}

function totalOf({ totals }: BatchDocument): string {
  const [first, ...others] = Object.entries(totals);
  if (!first) return "";
  return others.length === 0 ? first.join(" ") : `${others.length + 1} currencies`;
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;
