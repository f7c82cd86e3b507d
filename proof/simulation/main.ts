/**
 * `npm run simulate`: many runs of the real flows under injected faults (simulation.md).
 */
import { writeFileSync } from "node:fs";
import { flagsOf } from "#proof/flags.ts";
import { runCampaign } from "./campaign.ts";
import { matrixText, runMatrix } from "./crash-matrix.ts";
import { type RunResult, runOnce } from "#proof/simulation/run/run.ts";
import { totalsText } from "./totals.ts";

const SIZES = { change: 5_000, nightly: 250_000, release: 1_000_000 } as const;
const USAGE = `npm run simulate -- [--seed N] [--runs N | --size ${Object.keys(SIZES).join("|")}] [--payouts N] [--threads N] [--events] [--matrix] [--report FILE]`;

const { values } = flagsOf(USAGE, {
  options: {
    seed: { type: "string", default: "1" },
    size: { type: "string", default: "change" },
    runs: { type: "string" },
    payouts: { type: "string", default: "200" },
    threads: { type: "string" },
    matrix: { type: "boolean", default: false },
    events: { type: "boolean", default: false },
    report: { type: "string" },
  },
});

function whole(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  console.error(USAGE);
  process.exit(2);
}

const seed = whole(values.seed);
const payouts = whole(values.payouts);
const runs = whole(values.runs ?? String(SIZES[values.size as keyof typeof SIZES]));

if (values.matrix) {
  const results = await runMatrix();
  console.log(matrixText(results));
  report({ matrix: results });
  if (results.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
} else if (values.events) {
  const run = await runOnce(seed, payouts, (line) => process.stdout.write(`${line}\n`));
  process.exitCode = run.violation ? failed(run) : 0;
} else {
  const startedMs = performance.now();
  const campaign = { seed, runs, payouts };
  const threads = values.threads === undefined ? undefined : whole(values.threads);
  const { totals, failure } = await runCampaign(campaign, threads);
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(totalsText(totals, seconds));
  report({ campaign, seconds, totals, failure });
  if (failure) process.exitCode = await failedWithEvents(failure);
}

function report(figures: unknown): void {
  if (values.report) writeFileSync(values.report, `${JSON.stringify(figures, null, 2)}\n`);
}

function failed({ seed: at, violation }: RunResult): number {
  console.log(`\nseed ${at} breaks ${violation?.invariant}: ${violation?.what}`);
  return 1;
}

/**
 * The part of the event log about the code in question, and about events that affect everything.
 */
async function failedWithEvents(run: RunResult): Promise<number> {
  const [code] = /PR[0-9A-Z]{18}/.exec(run.violation?.what ?? "") ?? [];
  const lines: string[] = [];
  await runOnce(run.seed, run.payouts, (line) => lines.push(line));
  const isAbout = (line: string) =>
    code === undefined ||
    line.includes(code) ||
    / (?:crashes|sleeps|is frozen|clocks:) /.test(line);
  console.log(lines.filter(isAbout).slice(-300).join("\n"));
  failed(run);
  const again = `--seed ${run.seed} --payouts ${run.payouts}`;
  console.log(`the whole event log: npm run simulate -- ${again} --events`);
  return 1;
}
