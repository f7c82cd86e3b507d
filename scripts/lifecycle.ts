/**
 * `npm run lifecycle`: draws docs/lifecycle.md from the tables that the code obeys. A test fails when the page is
 * stale, so the diagram matches the code.
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

/** A new payout or batch receives its first state directly, so no move of the table leads there. */
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

/** Returns the whole page. */
export function lifecyclePage(): string {
  const payout: Life = { states: STATES, moves: LIFECYCLE };
  const batch: Life = { states: BATCH_STATES, moves: BATCH_LIFECYCLE };
  const deposit: Life = { states: DEPOSIT_STATES, moves: DEPOSIT_LIFECYCLE };
  return `# Lifecycles

For developers and API users: the states of payouts, batches and deposits, and their transitions. An arrow carries the name of its transition. \`npm run lifecycle\` generates
this page from \`src/payout/lifecycle.ts\`, \`src/batch/lifecycle.ts\` and \`src/deposit/lifecycle.ts\`; edit the tables there.

## Payouts

No state is named "failed", because that would not show whether money has moved.

${diagram(payout)}

${table(
  ["State", "Has money moved?", "Final", "Meaning"],
  Object.entries(STATES).map(([state, { moved, final, means }]) => [
    code(state),
    moved,
    yesNo(final),
    means,
  ]),
)}

## Batches

The payouts of a batch show where its money is; the state of the batch does not.

${diagram(batch)}

${table(
  ["State", "Final", "Meaning"],
  Object.entries(BATCH_STATES).map(([state, { final, means }]) => [
    code(state),
    yesNo(final),
    means,
  ]),
)}

## Deposits

A repeated request carries the same transaction code. payrun stops querying a deposit in a final state, except an expired one:
[a payment may be late](deposits.md).

${diagram(deposit)}

${table(
  ["State", "Has the money arrived?", "Final", "Meaning"],
  Object.entries(DEPOSIT_STATES).map(([state, { paid, final, means }]) => [
    code(state),
    paid,
    yesNo(final),
    means,
  ]),
)}
`;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "lifecycle.md"), lifecyclePage());
}
