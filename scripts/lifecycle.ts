/**
 * `npm run lifecycle`: draws docs/understand/lifecycle.md from the tables that the code obeys. A
 * test fails when the page is stale, so the diagram matches the code.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { BATCH_LIFECYCLE, BATCH_STATES } from "../src/intake/batch/batch-lifecycle.ts";
import { DEPOSIT_LIFECYCLE, DEPOSIT_STATES } from "../src/deposit/lifecycle.ts";
import { LIFECYCLE, STATES } from "../src/payout/payout-lifecycle.ts";

interface State {
  readonly final: boolean;
  readonly means: string;
  /** Of a payout: whether money has moved. */
  readonly moved?: string;
  /** Of a deposit: whether the money has arrived. */
  readonly paid?: string;
}

type Moves = Readonly<Record<string, { from: readonly string[]; to: string }>>;

/** A new payout or batch receives its first state directly, so no move of the table leads there. */
const diagram = (moves: Moves): string =>
  [
    "```mermaid",
    "stateDiagram-v2",
    "  direction LR",
    ...Object.entries(moves).flatMap(([event, { from, to }]) =>
      from.map((state) => `  ${state} --> ${to}: ${event}`),
    ),
    "```",
  ].join("\n");

const statesThat = (states: Readonly<Record<string, State>>, final: boolean): string =>
  Object.entries(states)
    .filter(([, state]) => state.final === final)
    .map(([name, { moved, paid, means }]) => {
      const money = (moved ?? paid)?.replaceAll("_", " ");
      return `- \`${name}\`${money === undefined ? "" : ` (${money})`}: ${means}`;
    })
    .join("\n");

const lists = (states: Readonly<Record<string, State>>): string =>
  `Not final:\n\n${statesThat(states, false)}\n\nFinal:\n\n${statesThat(states, true)}`;

/** Returns the whole page. */
export function lifecyclePage(): string {
  return `# Lifecycles

For developers and API users who need the states of payouts, batches and deposits. \`npm run lifecycle\` generates this page from the tables
in \`src/payout/payout-lifecycle.ts\`, \`src/intake/batch/batch-lifecycle.ts\` and \`src/deposit/lifecycle.ts\`.

## Payouts

No state is called "failed". The words in parentheses show whether money has moved.

${diagram(LIFECYCLE)}

${lists(STATES)}

## Batches

The states of a batch's payouts, not the state of the batch, show whether money has moved.

${diagram(BATCH_LIFECYCLE)}

${lists(BATCH_STATES)}

## Deposits

If payrun repeats a deposit request, it uses the same transaction code. When a deposit is in a final state, payrun stops querying it. It
continues to query expired deposits, because [a payment may arrive late](../use/deposits.md). The words in parentheses show whether
the money has arrived.

${diagram(DEPOSIT_LIFECYCLE)}

${lists(DEPOSIT_STATES)}
`;
}

if (import.meta.main) {
  writeFileSync(
    join(import.meta.dirname, "..", "docs", "understand", "lifecycle.md"),
    lifecyclePage(),
  );
}
