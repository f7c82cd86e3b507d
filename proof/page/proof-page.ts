import { readFileSync } from "node:fs";
import { join } from "node:path";
import { queueOf } from "./chaos-page.ts";
import { readFaults, testsByFault } from "./coverage.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "understand", "proof");

/** The fields of `npm run simulate -- --report` that the page shows. */
interface Simulation {
  readonly campaign: { readonly seed: number; readonly runs: number; readonly payouts: number };
  readonly totals: {
    readonly payouts: number;
    readonly crashes: number;
    readonly requests: number;
    readonly paidTwice: number;
    readonly lost: number;
    readonly broken: number;
    readonly paidTwiceByBreach: number;
    readonly faults: Readonly<Record<string, number>>;
  };
}

/** A report of `npm run chaos -- --report`. */
interface Chaos {
  readonly engine: string;
  readonly command: string;
  readonly commit: string;
  readonly collapses: readonly string[];
  readonly seed: number;
  readonly payouts: number;
  readonly kills: number;
  readonly strikes: Readonly<Record<string, number>>;
  readonly destructionSeconds: number;
  readonly restSeconds: number | null;
  readonly verdict: {
    readonly violations: readonly { readonly check: string }[];
  };
}

/** An entry of a report of `npm run sabotage -- --report`. */
interface Sabotaged {
  readonly name: string;
  readonly breaks: string;
  readonly caughtBy: string;
  readonly checks: readonly string[];
  readonly runs: readonly (number | null)[];
}

const report = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
const figure = (count: number): string => Math.round(count).toLocaleString("en");
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);

/** Returns docs/understand/proof/README.md, generated from the reports in its folder. */
export function proofPage(): string {
  const simulation = report("simulation.json") as Simulation;
  const chaos = ["redis", "postgres"].map((engine) => report(`chaos-${engine}.json`) as Chaos);
  const sabotaged = report("sabotage.json") as readonly Sabotaged[];
  const sections = [
    GUARANTEE,
    resultsOf(simulation, chaos),
    commandsFor(simulation, chaos),
    buildsOf(sabotaged),
    coverage(),
    LIMITS,
  ];
  return sections.join("\n");
}

const GUARANTEE = `# The proof

For anyone who wants to check payrun's exactly-once guarantee. \`npm run proof-page\` generates this page from the reports in this folder.
You can reproduce every figure with a command.

## The guarantee and its conditions

No payout is paid twice, no payout is lost, and payrun never makes an unproven statement about money. Each payout is paid at most
once **if the gateway refuses a repeated transaction code for longer than payrun keeps resending it automatically**. After a restore, the
gateway must also not keep returning "not found" for a payout that it has. You can detect this if you [compare the
records](../../operate/restore.md) before you run \`payrun unfreeze\`. [Exactly-once sending](../exactly-once.md) describes all conditions and
the waiting times.
`;

/** Returns the number of actions on many payouts, which operators take in the simulation. */
const bulkActionsIn = (faults: Readonly<Record<string, number>>): number =>
  sum(
    Object.fromEntries(Object.entries(faults).filter(([name]) => name.startsWith("bulk action"))),
  );

const othersIn = ({ faults, crashes }: Simulation["totals"]): number =>
  sum(faults) - crashes - bulkActionsIn(faults);

const resultsOf = ({ campaign, totals }: Simulation, chaos: readonly Chaos[]): string =>
  `## Results

| Campaign | Payouts | Faults | Paid twice | Lost | Result |
|---|---|---|---|---|---|
| [Simulation](simulation.md), seeds ${campaign.seed} to ${campaign.seed + campaign.runs - 1} | ${figure(totals.payouts)} | ${figure(totals.crashes)} crashes, ${figure(othersIn(totals))} others | ${totals.paidTwice} | ${totals.lost} | ${figure(totals.requests)} requests, ${figure(bulkActionsIn(totals.faults))} actions on many payouts |
${chaos.map(chaosLine).join("")}
In the simulation, the gateway also violated one of these conditions for ${figure(totals.broken)} codes. It forgot a code too early, accepted
a code twice at the same moment, reported a payout as failed and then paid it, or reported an existing payout as not found after a restore. It paid
${figure(totals.paidTwiceByBreach)} of these codes twice. No client can prevent that, so the table does not include these codes. If *n* payouts run without
a failure, the failure rate is at most 3/*n* at 95 % confidence. For the modelled faults, this is ${((3 / totals.payouts) * 1e6).toFixed(1)} in a million.
`;

const commandsFor = ({ campaign }: Simulation, chaos: readonly Chaos[]): string =>
  `## Repeat the campaigns

\`\`\`sh
npm ci
npm run simulate -- --seed ${campaign.seed} --runs ${campaign.runs}             # the first row of the table
npm run simulate -- --seed 42 --runs 1 --events      # one run, event by event
# the second and third rows, up to half an hour each:
${chaos.map(({ command }) => `${command}\n`).join("")}npm run sabotage                                     # the table below; takes hours
npm run reconciliation                               # 200 days of 10,000 payouts with known defects; every break must be found
npm run break-actions                                # 10,000 actions on several breaks that others change; each difference has its reason
npm run evidence-packs                               # 10,000 forged evidence packs; both verifiers must detect each
npm run events -- --payouts 1000000                  # a consumer of the events, and the writers, are killed 500 times
npm run fuzz                                         # property tests and CSV readers, with more cases
npm run mutate                                       # mutation testing
npm test                                             # small versions of all campaigns, and the whole crash matrix
\`\`\`

A simulated run is the same on every machine. If you repeat a chaos campaign, it injects the same faults into the same targets in the same
order, but not at exactly the same times.
`;

const buildsOf = (sabotaged: readonly Sabotaged[]): string =>
  `## Sabotaged builds

A checker that never fails proves nothing. Each row of the table is a build of payrun in which a script made one deliberate mistake.
**The checks caught ${sabotaged.filter(({ runs }) => !runs.includes(null)).length} of ${sabotaged.length} mistakes.** The last column shows the number of runs until the first failure (the median over all seeds).
If a build was not run again, the table shows the result of its last run. Builds that never finished are not in the table.

| Mistake | Breaks | Caught by | Check | Runs |
|---|---|---|---|---|
${sabotaged.map(sabotageLine).join("")}`;

function coverage(): string {
  const known = readFaults();
  const covered = testsByFault();
  const tested = known.filter((number) => covered.has(number)).length;
  return `## Fault coverage

${tested} of ${known.length} faults have a test that fails if payrun handles the fault wrongly. [Faults and invariants](faults.md)
describes how payrun handles each fault, and links to its tests or explains why it has no test.
`;
}

const LIMITS = `[Mutation testing](mutation.md) shows how many small code changes the unit tests detect, and which changes they miss.


## Not proven

These tests do not cover:

- The real gateway. The simulator follows the gateway's documentation, and [the gateway page](../../reference/gateway.md) lists the open
  questions.
- Disks that lose confirmed writes, and hardware that calculates incorrectly.
- Mistakes by people who approve payouts, who provide information about payouts on hold, or who make the same payment by other means.
`;

const chaosLine = ({
  engine,
  seed,
  payouts,
  kills,
  strikes,
  restSeconds,
  verdict,
  commit,
  collapses,
}: Chaos): string => {
  const breaks = (check: string) =>
    verdict.violations.filter((violation) => violation.check === check).length;
  const rest =
    restSeconds === null
      ? "not at rest"
      : `at rest ${restSeconds.toFixed(1)} s after the last fault`;
  const ended = collapses.length === 0 ? "" : `, ${collapses.length} processes exited unexpectedly`;
  return `| [Chaos](chaos.md) (${queueOf(engine)}), seed ${seed} | ${figure(payouts)} | ${figure(kills)} kills, ${figure(sum(strikes) - kills)} others | ${breaks("paid twice")} | ${breaks("lost")} | ${verdict.violations.length} violations of any check${ended}, ${rest}, at commit ${commit} |\n`;
};

const sabotageLine = ({ name, breaks, caughtBy, checks, runs }: Sabotaged): string => {
  const sorted = runs.map((run) => run ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
  const after = runs.includes(null) ? "**missed**" : figure(middle);
  return `| ${name} | ${breaks} | ${caughtBy} | ${checks.join(", ")} | ${after} |\n`;
};
