import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faults, proofs } from "./coverage.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "proof");

/** What `npm run simulate -- --report` writes, as far as the page shows it. */
interface Simulation {
  readonly campaign: { readonly seed: number; readonly runs: number; readonly payouts: number };
  readonly seconds: number;
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

/** What `npm run chaos -- --report` writes. */
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

/** What `npm run sabotage -- --report` writes. */
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

/** docs/proof/README.md as it must be, drawn from the reports beside it. */
export function proofPage(): string {
  const simulation = report("simulation.json") as Simulation;
  const chaos = ["redis", "postgres"].map((engine) => report(`chaos-${engine}.json`) as Chaos);
  const sabotaged = report("sabotage.json") as readonly Sabotaged[];
  const known = faults();
  const covered = proofs();
  const tested = known.filter(({ number }) => covered.has(number)).length;
  const { totals } = simulation;

  return `# The proof

Drawn by \`npm run proof-page\` from the reports beside this page. Every figure has a command that prints it again.

## What is promised, and under which condition

No payout is paid twice, none is lost, and nobody is told something about money that is not proven: at most one payment for each
payout **as long as the gateway refuses a repeated transaction code for longer than payrun sends it again by itself**. payrun
stops doing so after half of \`GATEWAY_REMEMBERS_HOURS\`, a setting: ask the gateway's owner how long it does. After that payrun
only asks, and what cannot be proven is held for a person. It sends nothing again while the gateway may still work on an earlier request,
for \`RESEND_AFTER_MS\`. And after a restore, as long as the gateway does not call unknown for as long what it has: [who compares](../../docs/restore.md) before \`payrun unfreeze\` sees that. How it is done stands in [Paid at most once](../../docs/once.md).

## The figures

| Campaign | Payouts | Faults | Paid twice | Lost | How it ended |
|---|---|---|---|---|---|
| [Simulation](../../docs/proof/simulation.md), seeds ${simulation.campaign.seed} to ${simulation.campaign.seed + simulation.campaign.runs - 1} | ${figure(totals.payouts)} | ${figure(totals.crashes)} crashes, ${figure(sum(totals.faults) - totals.crashes)} others | ${totals.paidTwice} | ${totals.lost} | ${figure(totals.requests)} requests in ${figure(simulation.seconds)} s on two cores |
${chaos.map(chaosLine).join("")}
In the simulation the gateway also broke a condition above for ${figure(totals.broken)} codes (it forgot them too early, took one
twice at the same moment, called failed what it then paid, or denied after a restore what it had) and paid ${figure(totals.paidTwiceByBreach)} of them twice: nothing
that a client does can prevent that, and they are counted apart. With no failure in *n* payouts, 3/*n* bounds the rate of
failures at 95 % confidence: ${((3 / totals.payouts) * 1e6).toFixed(1)} in a million, for the faults that are modelled.

## How to repeat it

\`\`\`sh
npm ci
npm run simulate -- --seed ${simulation.campaign.seed} --runs ${simulation.campaign.runs}             # the first line of the table
npm run simulate -- --seed 42 --runs 1 --story       # one run, told event by event
# the second and the third, up to half an hour each:
${chaos.map(({ command }) => `${command}\n`).join("")}npm run sabotage                                     # the table below; it takes hours
npm run fuzz                                         # the laws and the CSV readers, with more cases
npm run mutate                                       # mutation testing
npm test                                             # small sizes of it all, the crash matrix whole
\`\`\`

A simulated run is the same on every machine. Chaos repeats what is struck and in which order; when, to the millisecond, no seed
can repeat.

## Builds with a mistake

A checker that never fails proves nothing. Each line is a build with one mistake in it, made by a script in a copy of the
product: **${sabotaged.filter(({ runs }) => !runs.includes(null)).length} of ${sabotaged.length} were caught.** Runs are those until the first one that failed, the median of the seeds.
A build that was not run again keeps its line from the version that it was run on; one that was never run to its end has none.

| The mistake | Breaks | Caught by | Check | Runs |
|---|---|---|---|---|
${sabotaged.map(sabotageLine).join("")}
## The faults

${tested} of ${known.length} faults have a test that fails when payrun handles them wrongly; [their page](../../docs/proof/faults.md) names it, or says why there is
none. What payrun does about each stands in [the list](../../docs/faults.md).

## Further reading

- [The simulation](../../docs/proof/simulation.md): what runs for real in the simulation and what is modelled.
- [Chaos](../../docs/proof/chaos.md): what is killed, frozen, cut and put back, and what the checker looks at.
- [Mutation testing](../../docs/proof/mutation.md): how many small changes of the code the unit tests notice, and which they do not.
- [After a restore](../../docs/restore.md): why a restored ledger is frozen, and how it thaws.

## What is not proven

- The gateway itself: its simulator is written from its documentation, and what that leaves open is in [the gateway's page](../../docs/gateway.md).
- Disks that lie about what they have written, and machines that compute wrongly.
- People: who approves, who is asked about held payouts, and whether somebody pays the same by another way.
`;
}

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
  const ended = collapses.length === 0 ? "" : `, ${collapses.length} processes ended by themselves`;
  return `| [Chaos](../../docs/proof/chaos.md), queue on ${engine}, seed ${seed} | ${figure(payouts)} | ${figure(kills)} kills, ${figure(sum(strikes) - kills)} others | ${breaks("paid twice")} | ${breaks("lost")} | ${verdict.violations.length} violations of any check${ended}, ${rest}, at commit ${commit} |\n`;
};

const sabotageLine = ({ name, breaks, caughtBy, checks, runs }: Sabotaged): string => {
  const sorted = runs.map((run) => run ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
  const after = runs.includes(null) ? "**missed**" : figure(middle);
  return `| ${name} | ${breaks} | ${caughtBy} | ${checks.join(", ")} | ${after} |\n`;
};
