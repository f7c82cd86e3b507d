import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "understand", "proof");
const REPORTS = ["chaos-redis.json", "chaos-postgres.json"];

/** The fields of a campaign's report (`npm run chaos -- --report FILE`) that the page shows. */
interface Report {
  readonly engine: string;
  readonly command: string;
  readonly commit: string;
  readonly seed: number;
  readonly payouts: number;
  readonly files: number;
  readonly kills: number;
  readonly workers: number;
  readonly atOnce: number;
  readonly strikes: Readonly<Record<string, number>>;
  readonly destructionSeconds: number;
  readonly restSeconds: number | null;
  readonly collapses: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  readonly verdict: {
    readonly violations: readonly { readonly check: string }[];
    readonly figures: {
      readonly states: Readonly<Record<string, number>>;
      readonly sums: Readonly<Record<string, { rows: string; paid: string; paidAndHeld: string }>>;
      readonly held: readonly {
        readonly code: string;
        readonly reason: string;
        readonly paid: boolean;
      }[];
      readonly gateway: Readonly<Record<string, number>>;
      readonly payoutsSentAgain: number;
      readonly leasesRunOut: number;
      /** Missing, like canaries, in reports older than the check. */
      readonly lanes?: readonly { readonly kind: string; readonly seconds: number }[];
      readonly canaries?: { readonly settled: number; readonly released: number };
      readonly auditLines: number;
      readonly textsRead: number;
      readonly bytesRead: number;
    };
  };
}

/** Returns docs/understand/proof/chaos.md: the method, and the figures of the committed reports. */
export function chaosPage(): string {
  const reports = REPORTS.map(
    (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Report,
  );
  return `${INTRODUCTION}
## Figures

${figures(reports)}

A response is ambiguous if it proves nothing about the money or never arrived. The duration of the strikes ends with the last strike. The
campaign is at rest when every payout is in a final state or on hold for a person. The time to rest is measured from the last strike, or
from the approval of the last file if that is later. The payouts include those in the list that the schedule pays every day. Payouts for
future days are approved and waiting, as they must be. A process that exited unexpectedly was restarted. Its last output is in the report
in this folder, and the command that made the report exited with code 1. A report describes payrun at its commit.

${reports.map(strikesOf).join("\n")}
${reports.map(sumsOf).join("\n")}
${reports.map(heldOf).join("\n")}`;
}

const INTRODUCTION = `# Chaos with real processes

For everyone who wants to check payrun's promise against real processes. \`npm run proof-page\` generates this page. The figures come from
the reports in this folder.

\`\`\`sh
npm run chaos                                            # 500 payouts, 25 kills; also part of npm test
npm run chaos -- --queue postgres --seed 7               # with the other queue and another plan
npm run chaos -- --size nightly --report report.json     # 20,000 payouts, 500 kills
npm run chaos -- --payouts 2000 --kills 50 --keep FOLDER # keeps files, transaction log, export, logs and dumps
\`\`\`

## Setup and strikes

\`payrun serve\` and several \`payrun worker\` processes pay files in five currencies, with their own PostgreSQL and Redis, through the
[simulated gateway](../../start/simulator.md). The gateway returns ambiguous responses to a fifth of the payout requests, delays and
corrupts status responses, and loses, repeats and forges callbacks. Meanwhile, strikes follow one another in an order derived from the
seed:

- SIGKILL, SIGTERM, SIGSTOP and SIGCONT (also past the lease) for the workers and the server;
- SIGKILL for PostgreSQL and Redis;
- FLUSHALL, an older append-only file restored to Redis, or the end of that file cut off;
- connections cut, delayed and slowed by a proxy in front of the gateway, PostgreSQL and Redis.

Files are uploaded throughout the campaign. A schedule pays one list every day and immediately creates the batches for the next six days.
All of them are approved, every other one is released before its day, and the rest must wait. Stopped processes are restarted, as a
supervisor would do. Operators limit one lane (one merchant account in one currency), freeze another, drain a third, and later undo these
changes. A fifth of the files have a canary. In one lane, where the gateway does not respond to status queries at first, only three
payouts may be in doubt. Payouts and batches that need a person are inspected and resumed.

## Checks

The checker shares no code with payrun (\`proof/chaos/checker\`; the linter enforces this). It is a separate process that reads the files,
the gateway's own transaction log, and \`payrun export\` ([format](../../reference/export.md)):

| Check | Fails if |
|---|---|
| paid twice | the transaction log contains a code more than once |
| lost | a row does not have exactly one payout, in a final state or on hold; or a paid code does not belong to any row |
| altered | the currency, amount or account differs from the file, at the gateway or in the export |
| sums | a payout is reported as settled but was not paid, or reported as declined but was paid; or the sums in a currency differ by a single unit |
| transitions | a transition is illegal in the checker's own table, or the transitions of a payout have a gap |
| unproven | a payout is settled or declined without a stored gateway response that says so |
| attempt first | a request arrived before its attempt was stored, by the gateway's clock |
| audit | the recomputed hash chain does not match, or a batch approval is missing |
| leak | a planted account number or key appears in a log, an error text, data sent to Redis, the queue's tables, or unencrypted in the ledger |
| load | the gateway receives more concurrent requests than all processes together may make |
| occurrence | a day of the schedule has no batch, or more than one |
| early | a payout in a scheduled batch was claimed or sent before its batch was released; or a batch was released twice or without a request |
| lanes | according to the attempts or the transaction log, a lane exceeded its rate limit; a payout in a frozen lane was claimed; a batch started in a drained lane |
| canary | a payout was claimed, or the gateway received it, before the first payouts of its batch had settled in the transaction log and in the ledger, or before a person had released the rest |
| ceiling | a new payout was sent while more payouts in its lane were in doubt than allowed. This counts only payouts that had a stored status query at the time of the claim and were still in doubt when the gateway received the new payout |
| nothing seen | the campaign contained nothing to check |

A test proves that each check fails on a small campaign in which one detail was manipulated (\`test/proof/chaos/checker.test.ts\`). Whole
campaigns with sabotaged builds must also fail (\`npm run sabotage\`).

**Clocks.** All processes of a campaign use one clock. A claim records two times. Its transition contains the time at which the claim
began, and its attempt a time by which the claim had read all the data it acted on. A claim therefore violated a freeze or drain if it
began after the command had returned and read its data before the next command was given. An event that the claim had to wait for came
too late if it is more recent than the attempt. Only one check has a tolerance, of three seconds: a lane with a limit takes its turn
before the claim that uses it, and a slowed connection or a frozen process can delay the claim.

**Seeds.** A seed reproduces the plan, the files and the gateway's random faults, but not the run itself. Strikes hit real processes in
real time, so two runs with the same seed kill processes at different instructions. Only the simulation repeats a run exactly.

**Not covered.** Power loss (a kill does not affect the caches of the operating system), full disks, clocks that jump, failover to a
standby, and two versions running at once. A payout is paid at most once under the condition in [exactly-once.md](../exactly-once.md).
`;

const seconds = (value: number | null): string =>
  value === null ? "never" : `${value.toFixed(0)} s`;

const YOUNGER = "not yet recorded";

/** The rows of the table of figures. */
const FIGURES: readonly (readonly [string, (report: Report) => string | number])[] = [
  ["payouts, files", ({ payouts, files }) => `${payouts.toLocaleString("en")} in ${files}`],
  [
    "processes",
    ({ workers, atOnce }) =>
      `${workers} workers and the server, ${atOnce} concurrent requests each`,
  ],
  ["kills", ({ kills }) => kills],
  ["other strikes", ({ strikes, kills }) => total(strikes) - kills],
  ["payout requests at the gateway", ({ verdict }) => verdict.figures.gateway["requests"] ?? 0],
  ["ambiguous responses", ({ verdict }) => share(verdict.figures.gateway)],
  ["expired leases of dead or frozen workers", ({ verdict }) => verdict.figures.leasesRunOut],
  ["payouts sent again with the same code", ({ verdict }) => verdict.figures.payoutsSentAgain],
  [
    "repeated codes refused by the gateway (111)",
    ({ verdict }) => verdict.figures.gateway["duplicates"] ?? 0,
  ],
  ["**paid twice**", (report) => violations(report, "paid twice")],
  ["**lost**", (report) => violations(report, "lost")],
  [
    "**other violations**",
    (report) =>
      report.verdict.violations.length -
      violations(report, "paid twice") -
      violations(report, "lost"),
  ],
  [
    "states at the end",
    ({ verdict }) =>
      Object.entries(verdict.figures.states)
        .map(([state, count]) => `${count} ${state}`)
        .join(", "),
  ],
  ["duration of the strikes", ({ destructionSeconds }) => seconds(destructionSeconds)],
  [
    "**from the last strike to rest**",
    ({ restSeconds }) => `${seconds(restSeconds)} (at most 120 s)`,
  ],
  ["processes that exited unexpectedly", ({ collapses }) => collapses.length],
  [
    "most concurrent requests; allowed",
    ({ verdict, workers, atOnce }) =>
      `${verdict.figures.gateway["at_once_max"]}, ${(workers + 1) * atOnce}`,
  ],
  [
    "most payout requests in one second",
    ({ verdict }) => verdict.figures.gateway["per_second_max"] ?? 0,
  ],
  [
    "data searched for planted secrets",
    ({ verdict }) =>
      `${verdict.figures.textsRead} texts, ${Math.round(verdict.figures.bytesRead / 1e6)} MB`,
  ],
  [
    "lanes changed by operators",
    ({
      verdict: {
        figures: { lanes },
      },
    }) => lanes?.map((word) => `${word.kind} ${seconds(word.seconds)}`).join(", ") ?? YOUNGER,
  ],
  [
    "canaries settled; released by a person",
    ({
      verdict: {
        figures: { canaries },
      },
    }) => (canaries ? `${canaries.settled}, ${canaries.released}` : YOUNGER),
  ],
  ["lines in the audit log", ({ verdict }) => verdict.figures.auditLines],
  ["commit", ({ commit }) => commit],
  ["command", ({ command }) => `\`${command}\``],
  [
    "versions",
    ({ versions }) =>
      Object.entries(versions)
        .map((named) => named.join(" "))
        .join(", "),
  ],
];

/** One row per figure, one column per report. */
function figures(reports: readonly Report[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...reports.map(({ engine }) => `queue on ${engine}`)]),
    line(["---", ...reports.map(() => "---")]),
    ...FIGURES.map(([name, of]) => line([name, ...reports.map(of)])),
  ].join("\n");
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const share = ({ ambiguous = 0, requests = 1 }: Readonly<Record<string, number>>): string =>
  `${ambiguous} (${((100 * ambiguous) / requests).toFixed(0)} %)`;
const violations = ({ verdict }: Report, name: string): number =>
  verdict.violations.filter(({ check }) => check === name).length;

const strikesOf = ({ engine, strikes }: Report): string =>
  `Strikes, queue on ${engine}: ${Object.entries(strikes)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}.\n`;

const sumsOf = ({ engine, verdict }: Report): string => `## Sums, queue on ${engine}

| | In the files | Paid, by the gateway's transaction log | Of these on hold in payrun |
|---|---|---|---|
${Object.entries(verdict.figures.sums)
  .map(
    ([currency, { rows, paid, paidAndHeld }]) =>
      `| ${currency} | ${rows} | ${paid} | ${paidAndHeld} |\n`,
  )
  .join("")}`;

function heldOf({ engine, verdict }: Report): string {
  const { held } = verdict.figures;
  const reasons = Map.groupBy(held, ({ reason }) => reason);
  const lines = [...reasons].map(
    ([reason, all]) => `| ${reason} | ${all.length} | ${all.filter(({ paid }) => paid).length} |\n`,
  );
  return `## On hold for a person, queue on ${engine}

${held.length === 0 ? "None.\n" : `| Reason | Payouts | Paid, by the gateway's transaction log |\n|---|---|---|\n${lines.join("")}`}`;
}
