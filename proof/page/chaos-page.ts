import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "proof");
const REPORTS = ["chaos-redis.json", "chaos-postgres.json"];

/** The part of a campaign's report (`npm run chaos -- --report FILE`) that the page shows. */
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
      /** Reports that are older than the check have none; and no canaries. */
      readonly lanes?: readonly { readonly kind: string; readonly seconds: number }[];
      readonly canaries?: { readonly settled: number; readonly released: number };
      readonly auditLines: number;
      readonly textsRead: number;
      readonly bytesRead: number;
    };
  };
}

/** docs/proof/chaos.md as it must be: what is done, and what the committed reports say. */
export function chaosPage(): string {
  const reports = REPORTS.map(
    (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Report,
  );
  return `${INTRODUCTION}
## Figures

${figures(reports)}

Ambiguous are answers of the gateway that say nothing certain about the money, or that never came. Destruction lasts until the
last strike is over, and rest is when every payout has ended or is held for a person; it is counted from the last strike, or
from the approval of the last file if that came later. To the payouts come those of the list that the schedule pays every day;
those of days that have not come are approved and wait, as they must. A process that ended by itself was started again; its last
words are in the report beside this page, and the command that made it ends with 1. A report is as old as its commit.

${reports.map(strikesOf).join("\n")}
${reports.map(sumsOf).join("\n")}
${reports.map(heldOf).join("\n")}`;
}

const INTRODUCTION = `# Chaos with real processes

Drawn by \`npm run proof-page\`; the figures are from the reports beside this page.

\`\`\`sh
npm run chaos                                            # 500 payouts, 25 kills; also a part of npm test
npm run chaos -- --queue postgres --seed 7               # the other queue, another plan
npm run chaos -- --size nightly --report report.json     # 20,000 payouts, 500 kills
npm run chaos -- --payouts 2000 --kills 50 --keep FOLDER # keep files, book, export, logs and dumps
\`\`\`

**What is destroyed.** \`payrun serve\` and several \`payrun worker\` processes pay files in five currencies over a PostgreSQL and
a Redis of their own, through the [simulated gateway](../../docs/simulator.md), which answers a fifth of the payout requests so that
nothing certain can be read from it, delays and breaks status answers, and loses, repeats and forges callbacks. Meanwhile a plan
made from the seed strikes, one blow after another: SIGKILL, SIGTERM, SIGSTOP and SIGCONT (also past the lease) of workers and
server; SIGKILL of PostgreSQL and Redis; FLUSHALL; an older append-only file of Redis put back, or its end cut off; and on a proxy
in front of gateway, PostgreSQL and Redis connections cut, delayed and dripped. Files are handed in all the while, and a list is
paid again every day by a schedule that makes the batches of the next six days at once: each is approved, every other one is let
go before its day, the rest must wait. What has ended is started again, as a supervisor does. Operators limit one lane,
freeze another and drain a third, and take it back; a fifth of the files has a canary, and in one lane, whose questions the gateway
leaves without an answer at first, only three payouts may be in doubt. What stops for a person is looked at and let go on.

**Who judges.** A checker that shares no code with payrun (\`proof/chaos/checker\`; the linter holds it to that). It is a process
of its own, and reads the files that were to be paid, the gateway's own book, and \`payrun export\` ([its form](../../docs/export.md)):

| Check | Fails when |
|---|---|
| paid twice | the gateway's book has taken a code more than once |
| lost | a row is not exactly one payout that has ended or is held; or a code was paid that is no row |
| altered | currency, amount or account at the gateway, or in the export, are not the file's |
| sums | told settled and not paid, told declined and paid, or the sums of a currency differ by one unit |
| transitions | a move is not legal by the checker's own table, or the moves of a payout have a gap |
| unproven | settled or declined without words of the gateway on record that say so |
| attempt first | a request came in before its attempt was on record, by the gateway's clock |
| audit | the hash chain, computed anew, does not hold; or a batch has no approval in it |
| leak | a planted account number or a key stands in a log, in an error text, in anything that Redis was given, in the queue's tables, or in clear in the ledger |
| load | more requests at the gateway at once than all processes together may make |
| occurrence | a day of the schedule has become no batch, or more than one |
| early | a payout of such a batch was claimed or sent before the batch was let go, or a batch was let go that nobody had asked for, or twice |
| lanes | a lane was sent faster than its limit, by its attempts or by the gateway's book; something was claimed of a frozen lane; a batch began in a drained one |
| canary | a payout was claimed, or the gateway was asked for it, before the first payouts of its batch had settled in the gateway's book and in the ledger, or a person had let the rest follow |
| ceiling | a new payout was sent while more of its lane were in doubt than may be; counted are those that a question was on record about when it was claimed, and that were in doubt still when the gateway heard of it |
| nothing seen | there was nothing to check |

Each check is shown to fail on a small campaign with one thing doctored (\`test/proof/chaos/checker.test.ts\`), and whole campaigns
over builds with a mistake must fail (\`npm run sabotage\`).

**By which clock.** All processes of a campaign read one. A claim is on record twice: its move bears the time at which it began, its
attempt one by which it had seen all that it acted on. So it broke a freeze or a drain if it began after the command had come back and
had looked before the next command was given; and what it was to wait for was there too late if it is younger than the attempt. Three
seconds are allowed in one place only: a turn of a lane with a limit is taken before the claim that uses it, and a line that drips or a
process that is frozen comes in between.

**What a seed repeats.** The plan, the files and the dice of the gateway's faults. Not the run: the strikes hit real processes in
real time, so two runs of one seed kill at other instructions. The simulation repeats a run exactly.

**What it does not show.** Power loss (a kill leaves the operating system's caches alone), full disks, clocks that jump, failover
to a standby, two versions at once. A payout is paid at most once under the condition of [once.md](../../docs/once.md).
`;

const seconds = (value: number | null): string =>
  value === null ? "never" : `${value.toFixed(0)} s`;

const YOUNGER = "not yet asked for";

/** One row per figure, one column per report. */
function figures(reports: readonly Report[]): string {
  const rows: readonly (readonly [string, (report: Report) => string | number])[] = [
    ["payouts, files", ({ payouts, files }) => `${payouts.toLocaleString("en")} in ${files}`],
    [
      "processes",
      ({ workers, atOnce }) => `${workers} workers and the server, ${atOnce} requests at once each`,
    ],
    ["kills", ({ kills }) => kills],
    ["other strikes", ({ strikes, kills }) => total(strikes) - kills],
    ["payout requests at the gateway", ({ verdict }) => verdict.figures.gateway["requests"] ?? 0],
    ["ambiguous of them", ({ verdict }) => share(verdict.figures.gateway)],
    [
      "leases that ran out under dead or frozen workers",
      ({ verdict }) => verdict.figures.leasesRunOut,
    ],
    ["payouts sent again under their code", ({ verdict }) => verdict.figures.payoutsSentAgain],
    [
      "refused as repeated by the gateway (111)",
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
      "ended",
      ({ verdict }) =>
        Object.entries(verdict.figures.states)
          .map(([state, count]) => `${count} ${state}`)
          .join(", "),
    ],
    ["destruction", ({ destructionSeconds }) => seconds(destructionSeconds)],
    [
      "**from the last strike to rest**",
      ({ restSeconds }) => `${seconds(restSeconds)} (at most 120 s)`,
    ],
    ["processes that ended by themselves", ({ collapses }) => collapses.length],
    [
      "most requests at once, allowed",
      ({ verdict, workers, atOnce }) =>
        `${verdict.figures.gateway["at_once_max"]}, ${(workers + 1) * atOnce}`,
    ],
    [
      "most payout requests in one second",
      ({ verdict }) => verdict.figures.gateway["per_second_max"] ?? 0,
    ],
    [
      "searched for planted secrets",
      ({ verdict }) =>
        `${verdict.figures.textsRead} texts, ${Math.round(verdict.figures.bytesRead / 1e6)} MB`,
    ],
    [
      "lanes under the word of operators",
      ({
        verdict: {
          figures: { lanes },
        },
      }) => lanes?.map((word) => `${word.kind} ${seconds(word.seconds)}`).join(", ") ?? YOUNGER,
    ],
    [
      "canaries that settled, that a person released",
      ({
        verdict: {
          figures: { canaries },
        },
      }) => (canaries ? `${canaries.settled}, ${canaries.released}` : YOUNGER),
    ],
    ["lines of the audit chain", ({ verdict }) => verdict.figures.auditLines],
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
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...reports.map(({ engine }) => `queue on ${engine}`)]),
    line(["---", ...reports.map(() => "---")]),
    ...rows.map(([name, of]) => line([name, ...reports.map(of)])),
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

| | In the files | Paid, by the gateway's book | of it held by payrun for a person |
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
  return `## Held for a person, queue on ${engine}

${held.length === 0 ? "None.\n" : `| Reason | Payouts | Paid, by the gateway's book |\n|---|---|---|\n${lines.join("")}`}`;
}
