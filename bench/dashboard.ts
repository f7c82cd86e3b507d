/**
 * Response times of the dashboard over HTTP, signed in, with a million payouts in the ledger.
 * Embedded PostgreSQL.
 */
import { join } from "node:path";
import { createApp } from "#http/app/app.ts";
import { serverDeps } from "#views/deps.ts";
import {
  approverRequests,
  type DashboardRequests,
  dashboardRequests,
} from "./dashboard-requests.ts";
import { fill } from "./million.ts";
import { databaseOf, openEmbedded, scratch, signIn } from "./support.ts";

interface RequestTimes {
  readonly name: string;
  readonly medianMs: number;
  readonly p95Ms: number;
}

export const PAGE_MS_MAX = 150;
/** After this time a response reports that the search has not finished. */
export const APPROVER_MS_MAX = 2_500;

export interface DashboardFigures {
  readonly pages: readonly RequestTimes[];
  /** Pages that an approver opens for a batch with a tenth of all payouts. */
  readonly approver: readonly RequestTimes[];
}

const TIMES = 40;
const WARM_UP = 5;

/** Measures the dashboard's requests over a ledger with this many payouts. */
export async function measureDashboard(payouts: number): Promise<DashboardFigures> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { database, ledger, log } = payrun;
  try {
    const { DATABASE_OWNER_URL: ownerUrl } = await databaseOf(join(folder, "data"));
    const filled = await fill(ownerUrl, ledger, payouts);
    const dashboard = serverDeps(payrun, "simulated");
    const app = createApp({ log, openCallback: () => null, health: async () => [], dashboard });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const headers = await signIn(database, ["operator", "uploader", "approver", "auditor"]);
    const one = filled.batchIds[0] ?? "";
    const answer = await fetch(`${url}/api/payouts?batch=${one}&limit=${TIMES + WARM_UP}`, {
      headers,
    });
    const codes = ((await answer.json()) as { items: { code: string }[] }).items.map(
      ({ code }) => code,
    );
    const pages = {
      ...dashboardRequests(filled, payrun.sealer),
      "a payout": (turn: number) => `/api/payouts/${codes[turn]}`,
      "search: a code": (turn: number) => `/api/search?q=${codes[turn]}`,
    };
    const visit = { url, headers };
    const figures = {
      pages: await sendAll(pages, visit, PAGE_MS_MAX),
      approver: await sendAll(approverRequests(filled), visit, APPROVER_MS_MAX),
    };
    await app.close();
    return figures;
  } finally {
    await payrun.close();
  }
}

interface DashboardSession {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function sendAll(
  questions: DashboardRequests,
  visit: DashboardSession,
  mostMs: number,
): Promise<RequestTimes[]> {
  const asked: RequestTimes[] = [];
  for (const [name, question] of Object.entries(questions)) {
    const took: number[] = [];
    for (let turn = 0; turn < TIMES + WARM_UP; turn++) {
      const startedMs = performance.now();
      await sendRequest(name, question(turn), visit);
      if (turn >= WARM_UP) took.push(performance.now() - startedMs);
    }
    const sorted = took.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
    const figure = { name, medianMs: at(0.5), p95Ms: at(0.95) };
    asked.push(figure);
    const mark = figure.p95Ms <= mostMs ? " " : "!";
    process.stderr.write(
      `  ${mark} ${name.padEnd(34)} ${figure.medianMs.toFixed(0).padStart(6)} ms ${figure.p95Ms.toFixed(0).padStart(6)} ms\n`,
    );
  }
  return asked;
}

/** Search terms are sent in the body, never in the URL. */
async function sendRequest(
  name: string,
  question: string,
  { url, headers }: DashboardSession,
): Promise<void> {
  const [path = "", q] = question.split("/api/search?q=");
  const got =
    q === undefined
      ? await fetch(`${url}${path}`, { headers })
      : await fetch(`${url}/api/search`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ q: decodeURIComponent(q) }),
        });
  await got.arrayBuffer();
  if (got.status !== 200) throw new Error(`${name}: HTTP ${got.status}`);
}

/** Returns the request with the highest 95th percentile. */
export const slowest = (asked: readonly RequestTimes[]): RequestTimes =>
  asked.reduce((one, other) => (other.p95Ms > one.p95Ms ? other : one));
