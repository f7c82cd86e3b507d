/**
 * `npm run bench`: every figure that payrun claims, measured side by side in one run, with medians
 * of several runs. Keep the machine otherwise idle.
 */
import { availableParallelism } from "node:os";
import { parseArgs, styleText } from "node:util";
import { walkCrashes } from "../test/support/kills/crash-walk.ts";
import { measureCheckpoint } from "./audit-checkpoint.ts";
import { measureCheck } from "./check.ts";
import { APPROVER_MS_MAX, measureDashboard, PAGE_MS_MAX, slowest } from "./dashboard.ts";
import { measureFreshClone } from "./fresh-clone.ts";
import { measureIngest } from "./ingest.ts";
import { measureLaneRate } from "./lane-rate.ts";
import { measureLive } from "./live.ts";
import { measureExactDuplicates } from "./exact-duplicates.ts";
import { measurePayoutActions, measureSentActions } from "./payout-actions.ts";
import { measureReconcile } from "./reconcile.ts";
import { measureReports } from "./reports.ts";
import { measureSchedules } from "./schedules.ts";
import { type Engine, type GatewayLink, measureThroughput } from "./throughput.ts";
import { measureUpload } from "./upload.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    rows: { type: "string", default: "20000" },
    only: { type: "string" },
  },
});
const runs = Number(values.runs);
const rows = Number(values.rows);

interface Figure {
  readonly name: string;
  readonly measure: () => Promise<{
    readonly measured: string;
    readonly target: string;
    readonly met: boolean;
  }>;
}

const whole = (value: number): string => Math.round(value).toLocaleString("en");

const THROUGHPUT_RATIO_MIN = 0.9;

const throughput = (engine: Engine, link: GatewayLink) => async () => {
  const { payrun, loop, ratio } = await measureThroughput(engine, rows, runs, link);
  return {
    measured: `${whole(payrun)}/s, hand-written loop ${whole(loop)}/s, ratio ${ratio.toFixed(2)}`,
    target: `ratio ≥ ${THROUGHPUT_RATIO_MIN}`,
    met: ratio >= THROUGHPUT_RATIO_MIN,
  };
};

const UPLOADED_PER_SECOND = 10_000;
const GROWN_MEGABYTES_MAX = 100;

const upload = (size: number, times: number) => async () => {
  const { seconds, ratio, grownMegabytes } = await measureUpload(size, times);
  const most = size / UPLOADED_PER_SECOND;
  return {
    measured: `${seconds.toFixed(1)} s, ${ratio.toFixed(2)} times the ingest without HTTP, memory grows by ${whole(grownMegabytes)} MB`,
    target: `≤ ${most} s, ≤ ${GROWN_MEGABYTES_MAX} MB`,
    met: seconds <= most && grownMegabytes <= GROWN_MEGABYTES_MAX,
  };
};

const LANE_RATE_WITHIN = 0.02;

const laneRate = (engine: Engine) => async () => {
  const { wanted, sent, kills } = await measureLaneRate(engine);
  const apart = sent / wanted - 1;
  return {
    measured: `${sent.toFixed(2)}/s of ${wanted}/s, ${(apart * 100).toFixed(2)}%, over a minute with ${kills} kills`,
    target: "within 2 %",
    met: Math.abs(apart) <= LANE_RATE_WITHIN,
  };
};

/**
 * All approvals wait for one that runs the search, and a proxy in front of the server waits one
 * minute.
 */
const EXACT_DUPLICATES_SECONDS_MAX = 30;
const EXACT_DUPLICATES_MEGABYTES_MAX = 500;

const ACTION_SECONDS_MAX = 10;

const RECONCILE_SECONDS_MAX = 60;
const RECONCILE_MEGABYTES_MAX = 400;
const CLOSE_SECONDS_MAX = 15;

const REPORT_MS_MAX = 300;
const CHECKPOINT_MS_MAX = 1_000;

const FIGURES: readonly Figure[] = [
  {
    name: "10,000 schedules due at the same time",
    measure: async () => {
      const lateMs = await measureSchedules(10_000);
      return {
        measured: `the last one is recorded ${whole(lateMs)} ms after its time`,
        target: "≤ 1,000 ms",
        met: lateMs <= 1_000,
      };
    },
  },
  {
    name: "exact duplicates in an approval of 100,000 rows, compared with 100,000 others",
    measure: async () => {
      const { allSeconds, noneSeconds, postgresMegabytes } = await measureExactDuplicates(
        100_000,
        runs,
      );
      return {
        measured: `${allSeconds.toFixed(1)} s where every row is a duplicate, ${noneSeconds.toFixed(1)} s where none is; the largest PostgreSQL process used ${whole(postgresMegabytes)} MB`,
        target: `≤ ${EXACT_DUPLICATES_SECONDS_MAX} s, ≤ ${EXACT_DUPLICATES_MEGABYTES_MAX} MB`,
        met:
          Math.max(allSeconds, noneSeconds) <= EXACT_DUPLICATES_SECONDS_MAX &&
          postgresMegabytes <= EXACT_DUPLICATES_MEGABYTES_MAX,
      };
    },
  },
  {
    name: "payout-actions: hold back, release, cancel, query, assign and resolve 100,000 payouts, with the audit line",
    measure: async () => {
      const actions = [
        ...(await measurePayoutActions(100_000, runs)),
        ...(await measureSentActions(100_000)),
      ];
      return {
        measured: actions
          .map(
            ({ action, preview, apply }) =>
              `${action} ${apply.toFixed(1)} s after a preview of ${preview.toFixed(1)} s`,
          )
          .join("; "),
        target: `≤ ${ACTION_SECONDS_MAX} s each`,
        met: actions.every(({ apply }) => apply <= ACTION_SECONDS_MAX),
      };
    },
  },
  {
    name: "approved to accepted, Redis + PostgreSQL, 2 workers",
    measure: throughput("redis", "plain"),
  },
  {
    name: "approved to accepted, embedded engines, 2 workers",
    measure: throughput("embedded", "plain"),
  },
  {
    name: "approved to accepted, over TLS to a gateway that takes 50 ms, Redis + PostgreSQL, 2 workers",
    measure: throughput("redis", "tls"),
  },
  {
    name: "check of 1,000,000 INR rows",
    measure: async () => {
      const { rowsPerSecond, peakMegabytes, ratio } = await measureCheck(1_000_000, runs);
      return {
        measured: `${whole(rowsPerSecond)} rows/s, ${whole(peakMegabytes)} MB, ${ratio.toFixed(2)} of csv-parse alone`,
        target: "≥ 60,000 rows/s, ≤ 300 MB",
        met: rowsPerSecond >= 60_000 && peakMegabytes <= 300,
      };
    },
  },
  {
    name: "ingest of 100,000 rows, encrypted",
    measure: async () => {
      const ingest = await measureIngest(100_000, runs);
      const cpu = `per row ${whole(ingest.payrunMicroseconds)} µs in payrun and ${whole(ingest.postgresMicroseconds)} µs in PostgreSQL`;
      return {
        measured: `${whole(ingest.rowsPerSecond)} rows/s, ${cpu}`,
        target: "≥ 15,000 rows/s",
        met: ingest.rowsPerSecond >= 15_000,
      };
    },
  },
  {
    name: "upload of 100,000 rows over HTTP, until the check results",
    measure: upload(100_000, runs),
  },
  {
    name: "upload of 1,000,000 rows over HTTP, until the check results",
    measure: upload(1_000_000, 1),
  },
  {
    name: "live: 50 people watch a batch while it is sent",
    measure: async () => {
      const { watched, unwatched, cpuRatio, eventsSeen } = await measureLive(rows, runs);
      const ratio = watched / unwatched;
      return {
        measured: `${whole(watched)}/s watched, ${whole(unwatched)}/s not, ratio ${ratio.toFixed(2)}; processor time × ${cpuRatio.toFixed(2)}; ${whole(eventsSeen)} events seen`,
        target: "ratio ≥ 0.95",
        met: ratio >= 0.95 && eventsSeen > 0,
      };
    },
  },
  {
    name: "reconciliation of 1,000,000 payouts with a statement of 1,000,000 lines",
    measure: async () => {
      const { reconcile, close } = await measureReconcile(1_000_000);
      const text = ({ seconds, peakMegabytes }: typeof reconcile) =>
        `${seconds.toFixed(1)} s, ${whole(peakMegabytes)} MB`;
      return {
        measured: `${text(reconcile)}; close of the day ${text(close)}`,
        target: `≤ ${RECONCILE_SECONDS_MAX} s, ≤ ${RECONCILE_MEGABYTES_MAX} MB; close ≤ ${CLOSE_SECONDS_MAX} s`,
        met:
          reconcile.seconds <= RECONCILE_SECONDS_MAX &&
          reconcile.peakMegabytes <= RECONCILE_MEGABYTES_MAX &&
          close.seconds <= CLOSE_SECONDS_MAX &&
          close.peakMegabytes <= RECONCILE_MEGABYTES_MAX,
      };
    },
  },
  {
    name: "reports over 90 days with 1,000,000 payouts",
    measure: async () => {
      const { reports, storeSeconds } = await measureReports(1_000_000, Math.max(5, runs));
      const each = reports.map(({ name, ms }) => `${name} ${whole(ms)} ms`).join(", ");
      return {
        measured: `${each}; totals of all days counted in ${storeSeconds.toFixed(1)} s`,
        target: `each ≤ ${REPORT_MS_MAX} ms`,
        met: reports.every(({ ms }) => ms <= REPORT_MS_MAX),
      };
    },
  },
  {
    name: "daily checkpoint of an audit log with 1,000,000 lines",
    measure: async () => {
      const { wholeSeconds, dayMs } = await measureCheckpoint(1_000_000, Math.max(5, runs));
      return {
        measured: `${whole(dayMs)} ms for 2,000 new lines, ${wholeSeconds.toFixed(1)} s for the whole log once a week`,
        target: `≤ ${CHECKPOINT_MS_MAX} ms`,
        met: dayMs <= CHECKPOINT_MS_MAX,
      };
    },
  },
  { name: "lane-rate: four workers, Redis + PostgreSQL", measure: laneRate("redis") },
  { name: "lane-rate: four workers, embedded engines", measure: laneRate("embedded") },
  {
    name: "dashboard: lists, filters, search and pages with 1,000,000 payouts",
    measure: async () => {
      const { pages, approver } = await measureDashboard(1_000_000);
      const [page, look] = [slowest(pages), slowest(approver)];
      return {
        measured: `slowest p95 ${whole(page.p95Ms)} ms (${page.name}); for an approver of 100,000 rows ${whole(look.p95Ms)} ms (${look.name})`,
        target: `p95 ≤ ${PAGE_MS_MAX} ms, ≤ ${whole(APPROVER_MS_MAX)} ms`,
        met: page.p95Ms <= PAGE_MS_MAX && look.p95Ms <= APPROVER_MS_MAX,
      };
    },
  },
  {
    name: "killed at every step of submission",
    measure: async () => {
      const { kills, paidTwice, lost } = await walkCrashes();
      return {
        measured: `payouts confirmed twice: ${paidTwice}, lost: ${lost} over ${kills} kills`,
        target: "0 and 0",
        met: paidTwice === 0 && lost === 0 && kills > 0,
      };
    },
  },
  {
    name: "npm ci && npm run demo -- --once, fresh clone",
    measure: async () => {
      const seconds = await measureFreshClone();
      return { measured: `${whole(seconds)} s`, target: "≤ 120 s", met: seconds <= 120 };
    },
  },
];

const chosen = FIGURES.filter(({ name }) => name.includes(values.only ?? ""));
if (chosen.length === 0) {
  const names = FIGURES.map(({ name }) => `  ${name}`).join("\n");
  throw new Error(
    `--only ${values.only}: no figure has this in its name. Available figures:\n${names}`,
  );
}
process.stdout.write(
  `${availableParallelism()} cores, Node ${process.version}, ${runs} runs each, ${whole(rows)} payouts per run\n\n`,
);
let missed = 0;
for (const { name, measure } of chosen) {
  const { measured, target, met } = await measure();
  if (!met) missed += 1;
  const mark = met ? styleText("green", "met   ") : styleText("red", "missed");
  process.stdout.write(`${mark}  ${name}\n        ${measured}   (target ${target})\n`);
}
process.exit(missed === 0 ? 0 : 1);
