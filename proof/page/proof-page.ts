import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readFaults, testsByFault } from "./coverage.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "proof");

/** The fields of `npm run simulate -- --report` that the page shows. */
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

/** Returns docs/proof/README.md, generated from the reports in its folder. */
export function proofPage(): string {
  const simulation = report("simulation.json") as Simulation;
  const chaos = ["redis", "postgres"].map((engine) => report(`chaos-${engine}.json`) as Chaos);
  const sabotaged = report("sabotage.json") as readonly Sabotaged[];
  const known = readFaults();
  const covered = testsByFault();
  const tested = known.filter((number) => covered.has(number)).length;
  const { totals } = simulation;

  return `# The proof

For everyone who wants to check payrun's promise. \`npm run proof-page\` generates this page from the reports in this folder; every figure
has a command that reproduces it.

## The promise and its conditions

No payout is paid twice, none is lost, and payrun reports nothing unproven about money. Each payout is paid at most once **if the gateway
refuses a repeated transaction code for longer than payrun sends it again by itself**. payrun stops sending it again after half of
\`GATEWAY_REMEMBERS_HOURS\`: ask the gateway's owner for this time. Afterwards payrun only queries the status, and puts a payout without
proof on hold for a person. It never sends a code again while the gateway may still work on an earlier request, for
\`RESEND_AFTER_MS\`.

After a restore a second condition applies: the gateway must not answer "not found" for that long about a payout that it has. A person
who [compares the records](../../docs/restore.md) before \`payrun unfreeze\` detects this. [Exactly-once sending](../../docs/exactly-once.md) describes
the mechanism.

## Results

| Campaign | Payouts | Faults | Paid twice | Lost | Result |
|---|---|---|---|---|---|
| [Simulation](../../docs/proof/simulation.md), seeds ${simulation.campaign.seed} to ${simulation.campaign.seed + simulation.campaign.runs - 1} | ${figure(totals.payouts)} | ${figure(totals.crashes)} crashes, ${figure(sum(totals.faults) - totals.crashes)} others | ${totals.paidTwice} | ${totals.lost} | ${figure(totals.requests)} requests in ${figure(simulation.seconds)} s on two cores |
${chaos.map(chaosLine).join("")}
In the simulation the gateway also violated a condition above for ${figure(totals.broken)} codes: it forgot them too early, accepted one
twice at the same moment, reported failed for a payout that it then paid, or denied after a restore that it had one. It paid
${figure(totals.paidTwiceByBreach)} of these codes twice. No client can prevent that, so they are counted separately. Without a failure in *n* payouts, the
failure rate is at most 3/*n* at 95 % confidence: ${((3 / totals.payouts) * 1e6).toFixed(1)} in a million, for the modelled faults.

## Repeat the campaigns

\`\`\`sh
npm ci
npm run simulate -- --seed ${simulation.campaign.seed} --runs ${simulation.campaign.runs}             # the first line of the table
npm run simulate -- --seed 42 --runs 1 --events      # one run, event by event
# the second and the third line, up to half an hour each:
${chaos.map(({ command }) => `${command}\n`).join("")}npm run sabotage                                     # the table below; takes hours
npm run fuzz                                         # the properties and the CSV readers, with more cases
npm run mutate                                       # mutation testing
npm test                                             # small sizes of all campaigns, and the whole crash matrix
\`\`\`

A simulated run is the same on every machine. A chaos campaign repeats the targets and the order of its strikes, not their time to the
millisecond.

## Sabotaged builds

A checker that never fails proves nothing. Each line is a build with one deliberate mistake, made by a script in a copy of the product:
**${sabotaged.filter(({ runs }) => !runs.includes(null)).length} of ${sabotaged.length} were caught.** The last column is the number of runs up to the first failure, the median of the seeds.
A build that was not repeated keeps the line of its version; one that never finished has none.

| Mistake | Breaks | Caught by | Check | Runs |
|---|---|---|---|---|
${sabotaged.map(sabotageLine).join("")}
## Fault coverage

${tested} of ${known.length} faults have a test that fails if payrun handles them wrongly. [Faults and invariants](../../docs/proof/faults.md)
describes the handling of each and links its tests, or gives the reason why there is none.

## Further reading

- [Simulation](../../docs/proof/simulation.md): real code and modelled parts.
- [Chaos](../../docs/proof/chaos.md): the faults injected into real processes, and the checks.
- [Mutation testing](../../docs/proof/mutation.md): how many small code changes the unit tests notice, and which they miss.
- [Backup and restore](../../docs/restore.md): why a restored ledger is frozen, and how to unfreeze it.

## Not proven

- The gateway itself: the simulator follows its documentation, and [the gateway](../../docs/gateway.md) lists the gaps.
- Disks that lose confirmed writes, and machines that compute wrongly.
- People: who approves, who is asked about on-hold payouts, and whether a person pays the same in another way.
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
  const ended = collapses.length === 0 ? "" : `, ${collapses.length} processes exited unexpectedly`;
  return `| [Chaos](../../docs/proof/chaos.md), queue on ${engine}, seed ${seed} | ${figure(payouts)} | ${figure(kills)} kills, ${figure(sum(strikes) - kills)} others | ${breaks("paid twice")} | ${breaks("lost")} | ${verdict.violations.length} violations of any check${ended}, ${rest}, at commit ${commit} |\n`;
};

const sabotageLine = ({ name, breaks, caughtBy, checks, runs }: Sabotaged): string => {
  const sorted = runs.map((run) => run ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
  const after = runs.includes(null) ? "**missed**" : figure(middle);
  return `| ${name} | ${breaks} | ${caughtBy} | ${checks.join(", ")} | ${after} |\n`;
};
