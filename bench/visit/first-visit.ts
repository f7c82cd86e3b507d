/**
 * The work of a phone for the first visit of a page, in thread time: other programs on the same
 * machine change it little, unlike the scores of Lighthouse.
 */
import type { Browser, CDPSession } from "playwright-core";
import { median } from "../support.ts";

export interface FirstVisit {
  readonly requests: number;
  readonly kilobytes: number;
  /** Thread time of all tasks of the main thread. */
  readonly busyMs: number;
  /** Time of the tasks beyond 50 ms each, on a processor four times slower. */
  readonly blockingMs: number;
  /** The longest tasks of the last visit. */
  readonly longestMs: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Thread time in microseconds. */
  readonly tdur?: number;
}

const PHONE = { width: 412, height: 823 };
const SLOWER = 4;
const BLOCKING_MS_MIN = 50;
/** Later work of a page is no part of its first visit. */
const LATE_MS = 1_000;
const CATEGORIES = "devtools.timeline,disabled-by-default-devtools.timeline";

/** Visits the page several times with an empty cache, and returns the medians. */
export async function measureFirstVisit(
  browser: Browser,
  {
    url,
    path,
    token,
    times,
  }: Readonly<Record<"url" | "path" | "token", string>> & { times: number },
): Promise<FirstVisit> {
  const visits: FirstVisit[] = [];
  for (let visit = 0; visit < times; visit++) {
    const context = await browser.newContext({ viewport: PHONE, isMobile: true });
    await context.addCookies([{ name: "payrun", value: token, url }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const network = await countBytes(session);
    const tasks = await traceOf(session, async () => {
      await page.goto(url + path);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(LATE_MS);
    });
    visits.push({ ...network(), ...workOf(tasks) });
    await context.close();
  }
  const of = (key: "requests" | "kilobytes" | "busyMs" | "blockingMs") =>
    median(visits.map((visit) => visit[key]));
  return {
    requests: of("requests"),
    kilobytes: of("kilobytes"),
    busyMs: of("busyMs"),
    blockingMs: of("blockingMs"),
    longestMs: visits.at(-1)?.longestMs ?? [],
  };
}

/** Counts the requests of the page and the bytes that it received. */
async function countBytes(session: CDPSession) {
  let requests = 0;
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    requests++;
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => ({ requests, kilobytes: bytes / 1_000 });
}

/** Returns the thread times of the tasks of the main thread while `run` runs. */
async function traceOf(session: CDPSession, run: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send("Tracing.start", { transferMode: "ReportEvents", categories: CATEGORIES });
  await run();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const scripts = new Set(events.filter(({ name }) => name === "EvaluateScript").map(threadOf));
  return events
    .filter((event) => event.name === "RunTask" && event.ph === "X" && scripts.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

const workOf = (tasks: readonly number[]): Omit<FirstVisit, "requests" | "kilobytes"> => ({
  busyMs: tasks.reduce((sum, ms) => sum + ms, 0),
  blockingMs: tasks.reduce((sum, ms) => sum + Math.max(0, SLOWER * ms - BLOCKING_MS_MIN), 0),
  longestMs: tasks.toSorted((a, b) => b - a).slice(0, 8),
});
