import { minuteText } from "#base/time-text.ts";
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
      wordOf(batch),
      String(batch.rows),
      totalOf(batch),
      minuteText(batch.created_at),
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
    .map((line, at) => coloured(line, batches[at - 1]))
    .join("\n");
}

const STATE_COLOURS: Readonly<Partial<Record<BatchState, "green" | "yellow" | "red">>> = {
  needs_correction: "red",
  paused: "yellow",
  finished: "green",
  finished_with_exceptions: "yellow",
};

/** The state as the list shows it: exact duplicates may block a batch that awaits approval. */
const wordOf = ({ state, needs_duplicate_reason: isBlocked }: BatchDocument): string =>
  isBlocked ? "blocked" : BATCH_STATES[state].word;

/** Colours the state in a line of the list, on a terminal only. */
function coloured(line: string, batch: BatchDocument | undefined): string {
  const colour = batch && (batch.needs_duplicate_reason ? "red" : STATE_COLOURS[batch.state]);
  if (!colour) return line;
  const word = wordOf(batch);
  return line.replace(` ${word} `, ` ${styled(colour, word)} `);
}

function totalOf({ totals }: BatchDocument): string {
  const [first, ...others] = Object.entries(totals);
  if (!first) return "";
  return others.length === 0 ? first.join(" ") : `${others.length + 1} currencies`;
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;
