import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findBrowser } from "../../../scripts/prepare-tests.ts";
import { atExit } from "../servers/at-exit.ts";

let running: Promise<Browser> | null = null;

/** The Chromium of this test file. It exits with the process. */
function browser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error("no Chromium here; npm test says what to install");
  // A container has no sandbox and no large shared memory.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  const launched = await chromium.launch({ executablePath, args });
  atExit(() => void launched.close());
  return launched;
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** False: a browser without scripts. */
  readonly scripts?: boolean;
  readonly locale?: string;
  readonly timezone?: string;
}

/** One person at one screen. The page's errors are collected and checked by `expectQuiet`. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Opens an address of the dashboard and waits until it shows its heading and has finished
   * loading.
   */
  open(path: string): Promise<void>;
  /**
   * Console errors, failed requests and script errors; `expected` are refusals that the test
   * provoked.
   */
  expectQuiet(expected?: RegExp): void;
  close(): Promise<void>;
}

const CLOSED = /net::ERR_ABORTED|Target closed/;

export async function visit(url: string, token: string | null, look: Look = {}): Promise<Visitor> {
  const { width = 1280, height = 900, theme = "light", scripts = true } = look;
  const context = await (await browser()).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    javaScriptEnabled: scripts,
    locale: look.locale ?? "en-GB",
    timezoneId: look.timezone ?? "UTC",
    reducedMotion: "reduce",
  });
  // Longer than the usual 30 seconds, for a machine that is busy with other tests.
  context.setDefaultTimeout(90_000);
  if (token !== null) await context.addCookies([{ name: "payrun", value: token, url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      complaints.push(`${message.type()} at ${page.url()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) =>
    complaints.push(`${page.url()}: ${error.stack ?? error.message}`),
  );
  return {
    page,
    context,
    async open(path) {
      await page.goto(path);
      await settle(page);
    },
    expectQuiet(expected) {
      const real = complaints.filter((text) => !CLOSED.test(text) && !expected?.test(text));
      expect(real).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Waits until the page has its heading and has finished loading. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("[data-loading-page]").first().waitFor({ state: "detached" });
}

/** Expects no serious or critical axe finding, by the rules of WCAG 2.2 AA. */
export const expectAccessible = (page: Page, name: string): Promise<void> =>
  expectNoSeriousFindings(
    axeOn(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]),
    name,
  );

/** The same in the other theme, which changes only the colours. */
export const expectContrast = (page: Page, name: string): Promise<void> =>
  expectNoSeriousFindings(axeOn(page).withRules(["color-contrast"]), name);

/**
 * payrun's pages have no frames, so one pass in the page itself suffices, without a second blank
 * page.
 */
const axeOn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();

async function expectNoSeriousFindings(axe: AxeBuilder, name: string): Promise<void> {
  const { violations } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
  );
  expect(told, name).toEqual([]);
}

/** Elements that extend past the page's width once it has its new size. */
const STICKS_OUT = `(() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > room && !each.closest("[role=region]"),
  );
  return ["the page", ...wide.map((each) => each.tagName + " " + each.className)];
})()`;
const LAYOUT_MS_MAX = 5_000;

/** Expects nothing wider than the screen: wide content scrolls in its own region. */
export async function expectNoHorizontalScroll(page: Page, name: string): Promise<void> {
  // A page that was just made smaller is laid out in several steps. Poll from here: a function that
  // polls in the page is a script made of text, which the page's policy forbids.
  await expect
    .poll(() => page.evaluate(STICKS_OUT), {
      message: `${name} is wider than the screen`,
      timeout: LAYOUT_MS_MAX,
    })
    .toEqual([]);
}

/** Words for arrived money. */
const CLAIM = /\b(?:paid|success(?:ful(?:ly)?)?|completed?)\b/i;
/** The same words in statements that money has not arrived, or about no particular payout. */
const NO_CLAIM =
  /not paid|(?:is|be|was it|are|get|gets|being) paid|paid (?:before|again|twice|once)|success rate/gi;

/** Runs in the page, which has a document. The tests are compiled without one. */
const TEXTS_WITHOUT_PROOF = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement.closest("[data-proven], script, style, noscript")) continue;
    if (parentElement.checkVisibility()) found.push(textContent);
  }
  return found;
})()`;

/** Statements about arrived money outside the marks of a settled payout. */
export async function claimsOf(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(TEXTS_WITHOUT_PROOF);
  return texts.filter((text) => CLAIM.test(text.replaceAll(NO_CLAIM, "")));
}
