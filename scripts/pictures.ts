/**
 * `npm run pictures`: starts the demo in a temporary folder and takes screenshots of every page of
 * its dashboard, at three widths and in both themes. `--folder` sets where they are written and
 * `--only` takes the pages whose names contain a text. `--docs` instead takes the pictures that the
 * documentation shows, in docs/pictures.
 */
import { mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type FilledDemo, openFilledDemo } from "./pictures/filled-demo.ts";
import { PICTURES, type Picture } from "./pictures/pages.ts";
import { findBrowser } from "./prepare-tests.ts";

const ROOT = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    folder: { type: "string", default: join(ROOT, "pictures") },
    only: { type: "string", default: "" },
    docs: { type: "boolean", default: false },
  },
});
const FOLDER = values.docs ? join(ROOT, "docs/pictures") : values.folder;
const THEMES = ["light", "dark"] as const;
const WIDTHS = [1440, 768, 360];
const HEIGHT_MAX = 4_000;
const DOCS_SIZE = { width: 1440, height: 1000 };
const DOCS_BYTES_MAX = 300_000;

/** Takes the pictures of a page at each width, or the one in the documentation. */
async function photograph(page: Page, { name }: Picture): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    if (values.docs) {
      await page.setViewportSize(DOCS_SIZE);
      await shoot(page, `${name}-${theme}.png`);
      continue;
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await settle(page);
      // A taller window instead of a full-page screenshot: bars at the bottom stay at the bottom.
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      await page.setViewportSize({ width, height: Math.min(height, HEIGHT_MAX) });
      await shoot(page, `${name}-${width}-${theme}.png`);
    }
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  const path = join(FOLDER, name);
  await settle(page);
  await page.screenshot({ path });
  const { size: bytes } = statSync(path);
  if (values.docs && bytes > DOCS_BYTES_MAX) throw new Error(`${path} has ${bytes} bytes`);
  console.log(`${relative(ROOT, path)}  ${Math.round(bytes / 1_000)} kB`);
}

/** Waits until the page has its data, its fonts and its charts in the new size. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading").filter({ visible: true }).first().waitFor();
  await page
    .locator("[data-loading-page], [aria-busy=true]")
    .first()
    .waitFor({ state: "detached" });
  await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
  await page.waitForTimeout(150);
}

/** Opens the pages one after another, with one browser context per user. */
async function photographAll(browser: Browser, demo: FilledDemo): Promise<void> {
  const contexts = new Map<Picture["who"], BrowserContext>();
  const contextOf = async (who: Picture["who"]): Promise<BrowserContext> => {
    const known = contexts.get(who);
    if (known) return known;
    const context = await browser.newContext({
      baseURL: demo.checker.url,
      locale: "en-GB",
      timezoneId: "UTC",
      reducedMotion: "reduce",
    });
    contexts.set(who, context);
    if (who !== null) {
      const { url, token } = { ...demo[who], url: demo.checker.url };
      await context.addCookies([{ name: "payrun", value: token, url }]);
    }
    return context;
  };
  const chosen = PICTURES.filter(
    ({ name, inDocs }) => name.includes(values.only) && (inDocs === true || !values.docs),
  );
  for (const picture of chosen) {
    const page = await (await contextOf(picture.who)).newPage();
    await page.goto(picture.path(demo.ids));
    await settle(page);
    await picture.act?.(page);
    await photograph(page, picture);
    await page.close();
  }
}

const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("npm run pictures needs Chromium");
mkdirSync(FOLDER, { recursive: true });
const demo = await openFilledDemo();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  await photographAll(browser, demo);
} finally {
  await browser.close();
  await demo.close();
}
