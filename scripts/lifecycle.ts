/**
 * `npm run lifecycle`: draws docs/lifecycle.md from the tables that the code obeys. A test fails when
 * the page is stale, so the picture can be believed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { BATCH_LIFECYCLE, BATCH_STATES } from "../src/batch/lifecycle.ts";
import { DEPOSIT_LIFECYCLE, DEPOSIT_STATES } from "../src/deposit/lifecycle.ts";
import { LIFECYCLE, STATES } from "../src/payout/lifecycle.ts";

interface Life {
  readonly states: Readonly<Record<string, Readonly<Record<string, string | boolean>>>>;
  readonly moves: Readonly<Record<string, { from: readonly string[]; to: string }>>;
}

/** A new payout or batch begins in a state that is given to it, so no move of the table leads there. */
const diagram = ({ states, moves }: Life): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    "  direction LR",
    ...Object.entries(moves).flatMap(([event, { from, to }]) =>
      from.map((state) => `  ${state} --> ${to}: ${event}`),
    ),
    ...Object.entries(states)
      .filter(([, { final }]) => final)
      .map(([state]) => `  ${state} --> [*]`),
    "```",
  ].join("\n");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const yesNo = (value: unknown): string => (value === true ? "yes" : "no");
const code = (text: string): string => `\`${text}\``;

const moveTable = ({ moves }: Life): string =>
  table(
    ["Move", "From", "To"],
    Object.entries(moves).map(([event, { from, to }]) => [
      code(event),
      from.map(code).join(", "),
      code(to),
    ]),
  );

/** The page as it must be. */
export function lifecyclePage(): string {
  const payout: Life = { states: STATES, moves: LIFECYCLE };
  const batch: Life = { states: BATCH_STATES, moves: BATCH_LIFECYCLE };
  const deposit: Life = { states: DEPOSIT_STATES, moves: DEPOSIT_LIFECYCLE };
  return `# Lifecycles

Drawn from \`src/payout/lifecycle.ts\`, \`src/batch/lifecycle.ts\` and \`src/deposit/lifecycle.ts\` by \`npm run lifecycle\`.
Edit the tables there, not this page.

## A payout

No state is called "failed", because that would not say whether money has moved.

${diagram(payout)}

${table(
  ["State", "Has money moved?", "Final", "Means"],
  Object.entries(STATES).map(([state, { moved, final, means }]) => [
    code(state),
    moved,
    yesNo(final),
    means,
  ]),
)}

${moveTable(payout)}

## A batch

What became of its money is told by its payouts, never by the state of the batch.

${diagram(batch)}

${table(
  ["State", "Final", "Means"],
  Object.entries(BATCH_STATES).map(([state, { final, means }]) => [
    code(state),
    yesNo(final),
    means,
  ]),
)}

${moveTable(batch)}

## A deposit

A repeated request carries the same transaction code. What is final is asked for by itself no more, but for an expired
deposit: [a payment may be late](deposits.md).

${diagram(deposit)}

${table(
  ["State", "Has the money come in?", "Final", "Means"],
  Object.entries(DEPOSIT_STATES).map(([state, { paid, final, means }]) => [
    code(state),
    paid,
    yesNo(final),
    means,
  ]),
)}

${moveTable(deposit)}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "lifecycle.md"), lifecyclePage());
}
