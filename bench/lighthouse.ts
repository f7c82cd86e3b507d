/**
 * `sh scripts/node bench/lighthouse.ts`: Lighthouse scores of the home, batch and approval pages,
 * signed in, on a demo with a few batches, for a computer and for a phone with slow 4G and a CPU
 * four times slower. Lighthouse runs through `npx` and is no dependency of payrun. Keep the machine
 * otherwise idle, and run `npm run build` first.
 */
import { execFileSync } from "node:child_process";
import { findBrowser } from "../scripts/prepare-tests.ts";
import { type FilledDemo, openFilledDemo } from "../scripts/pictures/filled-demo.ts";

const LIGHTHOUSE = "lighthouse@12.8.2";
const SCORE_MIN = 95;
/** Until the home page of a phone can be used. */
const HOME_INTERACTIVE_MS_MAX = 2_500;
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
    { env: { ...process.env, CHROME_PATH: chrome }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(output.toString()) as Report;
}

const chrome = findBrowser();
if (chrome === undefined) throw new Error("Lighthouse needs Chromium");
const demo = await openFilledDemo();
try {
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    for (const device of ["computer", "phone"] as const) {
      const { url, token } = demo.checker;
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
} finally {
  await demo.close();
}
