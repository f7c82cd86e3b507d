/**
 * `npm run pictures`: starts the demo in a separate folder and takes screenshots of its dashboard
 * for the README, in both themes. The screenshots show the real product.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { chromium, type Page } from "playwright-core";

import { findBrowser } from "./prepare-tests.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs/pictures");
const BYTES_MAX = 200_000;
const SIZE = { width: 1280, height: 800 };

interface Picture {
  readonly name: string;
  readonly who: "maker" | "checker";
  /** Steps from the home page to the screenshot. */
  readonly go: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "home",
    who: "checker",
    go: (page) => page.getByRole("heading", { name: "Balances and reservations" }).waitFor(),
  },
  {
    name: "approval",
    who: "checker",
    go: async (page) => {
      await page.getByRole("link", { name: /^Approve “/ }).click();
      await page.getByRole("heading", { name: "Anomalies" }).waitFor();
      for (const text of ["Searching all rows.", "Checking…", "Comparing…"]) {
        await page.getByText(text).waitFor({ state: "hidden" });
      }
    },
  },
  {
    name: "batch",
    who: "checker",
    go: async (page) => {
      await page.getByRole("link", { name: "Batches" }).first().click();
      await page
        .getByRole("link", { name: /^mixed-/ })
        .first()
        .click();
      await page
        .getByText(/^Balanced: /)
        .first()
        .waitFor();
    },
  },
];

const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("npm run pictures needs Chromium");
const place = mkdtempSync(join(tmpdir(), "payrun-pictures-"));
const demo = spawn(join(ROOT, "payrun"), ["demo"], {
  env: { ...process.env, PAYRUN_DATA: place, PORT: "0" },
  stdio: ["ignore", "ignore", "pipe"],
});
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const links = await linksOf();
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, who, go } of PICTURES) {
    for (const theme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme: theme, locale: "en-GB" });
      await page.goto(links[who]);
      await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
      await go(page);
      await page.waitForLoadState("networkidle");
      const path = join(FOLDER, `${name}-${theme}.png`);
      await page.screenshot({ path });
      await page.close();
      const { size } = statSync(path);
      if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes`);
      console.log(`docs/pictures/${name}-${theme}.png  ${Math.round(size / 1_000)} kB`);
    }
  }
} finally {
  await browser.close();
  demo.kill("SIGINT");
  await new Promise((ended) => demo.once("exit", ended));
  rmSync(place, { recursive: true, force: true });
}

/** The line that the demo prints when it is ready. */
async function linksOf(): Promise<Readonly<Record<Picture["who"], string>>> {
  const found: string[] = [];
  for await (const line of createInterface({ input: demo.stderr })) {
    const link = /^ +(http:\S+\/enter#\S+)$/.exec(line)?.[1];
    if (link) found.push(link);
    if (found.length === 2) break;
  }
  const [maker, checker] = found;
  if (!maker || !checker) throw new Error("the demo did not start");
  // Nobody reads the remaining output, and a full pipe would block the demo.
  demo.stderr.resume();
  return { maker, checker };
}
