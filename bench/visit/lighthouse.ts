/**
 * `sh scripts/node bench/visit/lighthouse.ts`: Lighthouse scores of the home, batch and approval
 * pages, signed in, on a demo with a few batches, for a computer and for a phone with slow 4G and a
 * CPU four times slower. Lighthouse runs through `npx` and is no dependency of payrun. Keep the
 * machine otherwise idle, and run `npm run build` first. `--work` instead measures the work of a
 * first visit, which needs no idle machine.
 */
import { execFileSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { chromium } from "playwright-core";
import { measureFirstVisit } from "./first-visit.ts";
import { findBrowser } from "../../scripts/prepare-tests.ts";
import { type FilledDemo, openFilledDemo } from "../../scripts/pictures/filled-demo.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
const SCORE_MIN = 95;
/** Until the home page of a phone can be used. */
const HOME_INTERACTIVE_MS_MAX = 2_500;
/** Visits of which the median counts. */
const VISITS = 5;
const DEVICES = { computer: ["--preset=desktop"], phone: [] } as const;

/** The parts of Lighthouse's report that are printed. */
interface Report {
  readonly categories: Readonly<
    Record<"performance" | "accessibility", { readonly score: number }>
  >;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

const pagesOf = ({ ids }: FilledDemo) => ({
  home: "/",
  batch: `/batches/${ids.finished}`,
  approval: `/batches/${ids.waiting}/approval`,
});

const percent = (score: number): number => Math.round(score * 100);

/** Lighthouse needs the Node version of payrun, not the one on the PATH. */
const lighthouseEnv = (chrome: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CHROME_PATH: chrome,
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
});

function measure(url: string, token: string, device: keyof typeof DEVICES, chrome: string): Report {
  const output = execFileSync(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      url,
      "--quiet",
      "--output=json",
      ...DEVICES[device],
      "--only-categories=performance,accessibility",
      `--extra-headers=${JSON.stringify({ Cookie: `payrun=${token}` })}`,
      "--chrome-flags=--headless=new --no-sandbox",
    ],
    { env: lighthouseEnv(chrome), maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(output.toString()) as Report;
}

/** Prints the scores of each page on each device. */
function printScores(demo: FilledDemo, chrome: string): void {
  const { url, token } = demo.checker;
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    for (const device of ["computer", "phone"] as const) {
      const { categories, audits } = measure(`${url}${path}`, token, device, chrome);
      const performance = percent(categories.performance.score);
      const accessibility = percent(categories.accessibility.score);
      const interactiveMs = audits["interactive"]?.numericValue ?? Number.NaN;
      const isMet =
        Math.min(performance, accessibility) >= SCORE_MIN &&
        (name !== "home" || interactiveMs <= HOME_INTERACTIVE_MS_MAX);
      console.log(
        `${isMet ? " " : "!"} ${name.padEnd(9)} ${device.padEnd(8)} performance ${performance}, accessibility ${accessibility}, interactive after ${(interactiveMs / 1_000).toFixed(1)} s`,
      );
    }
  }
}

/** Prints the work of a phone for a first visit of each page. */
async function printWork(demo: FilledDemo, chrome: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: chrome, args: ["--no-sandbox"] });
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    const { url, token } = demo.checker;
    const visit = await measureFirstVisit(browser, { url, path, token, times: VISITS });
    const longest = visit.longestMs.map((ms) => ms.toFixed(0)).join(", ");
    console.log(
      `${name.padEnd(9)} ${visit.requests} requests, ${visit.kilobytes.toFixed(0)} kB, busy ${visit.busyMs.toFixed(0)} ms, blocking ${visit.blockingMs.toFixed(0)} ms on a processor four times slower, longest tasks ${longest} ms`,
    );
  }
  await browser.close();
}

const chrome = findBrowser();
if (chrome === undefined) throw new Error("Lighthouse needs Chromium");
const demo = await openFilledDemo();
try {
  if (process.argv.includes("--work")) await printWork(demo, chrome);
  else printScores(demo, chrome);
} finally {
  await demo.close();
}
