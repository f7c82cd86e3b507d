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
  readonly servers: number;
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

A response is ambiguous if it proves nothing about the money or never arrived. The campaign is at rest when every payout is in a final state
or on hold. The time until rest starts with the last strike, or with the approval of the last file if that is later. The payouts include those
that the schedule pays every day. At the end, payouts for future days are still approved and waiting, as they should be. If a process exited
unexpectedly, the campaign restarted it, the report in this folder contains its last output, and the command that made the report exited with
code 1. A report describes payrun at its commit, and lists the number of strikes of each kind.

${reports.map(sumsOf).join("\n")}
${reports.map(heldOf).join("\n")}`;
}

const INTRODUCTION = `# Chaos with real processes

For anyone who wants to check payrun's exactly-once guarantee with real processes. \`npm run proof-page\` generates this page from the reports
in this folder.

\`\`\`sh
npm run chaos                                            # 500 payouts, 25 kills; also part of npm test
npm run chaos -- --queue postgres --seed 7               # with the other queue and another plan
npm run chaos -- --size nightly --report report.json     # 20,000 payouts, 500 kills
npm run chaos -- --standby                               # promotes a synchronous standby
npm run chaos -- --previous last                         # upgrades from the previous release in the middle
npm run chaos -- --servers 3 --workers 4                 # more processes
npm run chaos -- --payouts 2000 --kills 50 --keep FOLDER # keeps files, transaction log, export, logs and dumps
\`\`\`

## Setup and strikes

Several \`payrun serve\` and \`payrun worker\` processes pay files in five currencies, with their own PostgreSQL and Redis, through the
[simulated gateway](../../start/simulator.md). A balancer leads its callbacks to one server after another. The gateway returns ambiguous
responses to a fifth of the payout requests, delays and corrupts status responses, and loses, repeats and forges callbacks. Meanwhile, the
campaign injects faults (*strikes*) in an order that depends on the seed:

- It sends SIGKILL, SIGTERM, SIGSTOP and SIGCONT (also after the lease has expired) to workers and servers.
- It sends SIGKILL to PostgreSQL and Redis.
- With \`--standby\`, it kills the primary, promotes its synchronous standby and adds a new one. The ledger must not freeze.
- With \`--previous\`, it starts with the previous release, and in the middle migrates the ledger under load and replaces one process after
  another.
- It runs FLUSHALL, restores an older append-only file to Redis, or cuts off the end of this file.
- With \`--queue sentinel\`, it kills or freezes the primary of Redis, or asks Sentinel for another primary.
- A proxy in front of the gateway, PostgreSQL and Redis cuts, delays and slows down connections.

The campaign uploads files throughout. A schedule pays one list every day and immediately creates the batches for the next six days. All of
these batches are approved. Every other batch is released before its day, and the rest must wait. The campaign restarts stopped processes, as
a supervisor would. Simulated operators limit one lane (one merchant account in one currency), freeze another, drain a third, and later undo
these changes. A fifth of the files have a canary. In one lane, only three payouts may be in doubt, and the gateway does not respond to status
queries at first. Simulated operators also inspect and resume payouts and batches that need a person.

## Checks

The checker (\`proof/chaos/checker\`) shares no code with payrun, and the linter enforces this. It is a separate process that reads the files,
the gateway's own transaction log, and the output of \`payrun export\` ([format](../../reference/export.md)):

| Check | Fails if |
|---|---|
| paid twice | the transaction log contains a code more than once |
| lost | a row does not have exactly one payout, this payout is neither in a final state nor on hold, or a paid code does not belong to any row |
| altered | the currency, amount or account differs from the file, at the gateway or in the export |
| sums | payrun reports a payout as settled that was not paid, or as declined that was paid; or the sums in a currency differ, even by a single unit |
| transitions | the checker's own table does not allow a transition, or the transitions of a payout have a gap |
| unproven | a payout is settled or declined without a stored gateway response that says so |
| attempt first | according to the gateway's clock, a request arrived before its attempt was stored |
| audit | the recomputed hash chain does not match, or a batch approval is missing |
| leak | a planted account number or key appears in a log, in an error text, in data sent to Redis, in the queue's tables, or unencrypted in the ledger |
| load | the gateway received more concurrent requests than all processes together may make |
| occurrence | a day of the schedule has no batch, or more than one |
| early | a payout in a scheduled batch was claimed or sent before its batch was released; or a batch was released twice or without a request |
| lanes | according to the attempts or the transaction log, a lane exceeded its rate limit; a payout in a frozen lane was claimed; a batch started in a drained lane |
| canary | a payout was claimed, or the gateway received it, before the first payouts of its batch had settled in the transaction log and in the ledger, or before a person had released the rest |
| ceiling | a worker sent a new payout while more payouts in its lane were in doubt than allowed. This includes only payouts whose status had been queried at the time of the claim and which were still in doubt when the gateway received the new payout |
| nothing seen | the campaign contained nothing to check |

A test (\`test/proof/chaos/checker.test.ts\`) manipulates one detail of a small campaign at a time, and shows that each check then fails. Whole
campaigns with sabotaged builds must also fail (\`npm run sabotage\`).

**Clocks.** All processes of a campaign use the same clock. A claim records two times. Its transition records when the claim began, and its
attempt records a time by which the claim had read all its data. A claim violated a freeze or drain if it began after the command had returned
and read its data before someone gave the next command. If a claim had to wait for an event, the event must not be more recent than the
attempt. Only the check of the rate limit has a tolerance (three seconds), because a slowed connection or a frozen process can delay a claim
after the lane has counted it.

**Seeds.** A seed reproduces the plan, the files and the gateway's random faults, but not the run itself. Strikes hit real processes in real
time, so two runs with the same seed kill processes at different instructions.

**Not covered.** Chaos campaigns do not cover power loss (a kill does not affect the operating system's caches), full disks, clocks that jump,
or the promotion of an asynchronous standby, which lacks the attempts that the checker compares. A [scenario
test](../../../test/journeys/failover.test.ts) promotes one that lags.
`;

const seconds = (value: number | null): string =>
  value === null ? "never" : `${value.toFixed(0)} s`;

const YOUNGER = "not yet recorded";

/** The rows of the table of figures. */
const FIGURES: readonly (readonly [string, (report: Report) => string | number])[] = [
  ["payouts, files", ({ payouts, files }) => `${payouts.toLocaleString("en")} in ${files}`],
  [
    "servers, workers, concurrent requests of each",
    ({ servers, workers, atOnce }) => `${servers}, ${workers}, ${atOnce}`,
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
    ({ verdict, servers, workers, atOnce }) =>
      `${verdict.figures.gateway["at_once_max"]}, ${(servers + workers) * atOnce}`,
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
    line(["", ...reports.map(({ engine }) => queueOf(engine))]),
    line(["---", ...reports.map(() => "---")]),
    ...FIGURES.map(([name, of]) => line([name, ...reports.map(of)])),
  ].join("\n");
}

/** Returns the title of a queue, such as "Redis queue". */
export const queueOf = (engine: string): string =>
  `${engine === "redis" ? "Redis" : "PostgreSQL"} queue`;

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const share = ({ ambiguous = 0, requests = 1 }: Readonly<Record<string, number>>): string =>
  `${ambiguous} (${((100 * ambiguous) / requests).toFixed(0)} %)`;
const violations = ({ verdict }: Report, name: string): number =>
  verdict.violations.filter(({ check }) => check === name).length;

const sumsOf = ({ engine, verdict }: Report): string => `## Totals (${queueOf(engine)})

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
  return `## Payouts on hold (${queueOf(engine)})

${held.length === 0 ? "None.\n" : `| Reason | Payouts | Paid, by the gateway's transaction log |\n|---|---|---|\n${lines.join("")}`}`;
}
