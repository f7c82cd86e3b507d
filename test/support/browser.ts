import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findBrowser } from "../../scripts/prepare-tests.ts";
import { atExit } from "./at-exit.ts";

let running: Promise<Browser> | null = null;

/** The Chromium of this test file; it ends with the process. */
function browser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error("no Chromium here; npm test says what to install");
  // Inside a container there is no sandbox to be had, and no large shared memory.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  const launched = await chromium.launch({ executablePath, args });
  atExit(() => void launched.close());
  return launched;
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** False: a browser that runs no scripts. */
  readonly scripts?: boolean;
}

/** One person at one screen. Whatever the page complains of is kept, and asked for by `expectQuiet`. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Goes to an address of the dashboard and waits until it shows its heading and nothing is loading. */
  open(path: string): Promise<void>;
  /** Console errors, failed requests and errors of scripts; `expected` are refusals that the test provoked. */
  expectQuiet(expected?: RegExp): void;
  close(): Promise<void>;
}

const CLOSED = /net::ERR_ABORTED|Target closed/;

export async function visit(
  url: string,
  token: string | null,
  { width = 1280, height = 900, theme = "light", scripts = true }: Look = {},
): Promise<Visitor> {
  const context = await (await browser()).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    javaScriptEnabled: scripts,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
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

/** Until the page has its heading and nothing on it is still loading. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("[data-loading-page]").first().waitFor({ state: "detached" });
}

/** No serious or critical finding of axe, by the rules of WCAG 2.2 AA. */
export const expectAccessible = (page: Page, name: string): Promise<void> =>
  expectNothingGrave(
    axeOn(page).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]),
    name,
  );

/** The same in the other theme, which changes the colours and nothing else. */
export const expectContrast = (page: Page, name: string): Promise<void> =>
  expectNothingGrave(axeOn(page).withRules(["color-contrast"]), name);

/** payrun's pages have no frames: one pass in the page itself is enough, without a blank page beside it. */
const axeOn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();

async function expectNothingGrave(axe: AxeBuilder, name: string): Promise<void> {
  const { violations } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
  );
  expect(told, name).toEqual([]);
}

/** What sticks out of the page sideways, once it has taken its new size. */
const STICKS_OUT = `(() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > room && !each.closest("[role=region]"),
  );
  return ["the page", ...wide.map((each) => each.tagName + " " + each.className)];
})()`;
const LAYOUT_MS_MAX = 5_000;

/** Nothing is wider than the screen: what must be wide scrolls in a region of its own. */
export async function expectNoSideways(page: Page, name: string): Promise<void> {
  // A page that was just made smaller is laid out in more than one step. Asked from here: a question that
  // the page itself repeats is a script made of text, which its policy forbids.
  await expect
    .poll(() => page.evaluate(STICKS_OUT), {
      message: `${name} is wider than the screen`,
      timeout: LAYOUT_MS_MAX,
    })
    .toEqual([]);
}

/** Words that say that money has arrived. */
const CLAIM = /\b(?:paid|success(?:ful(?:ly)?)?|completed?)\b/i;
/** The same words where they say that it has not, or speak of no payout in particular. */
const NO_CLAIM =
  /not paid|(?:is|be|was it|are|get|gets|being) paid|paid (?:before|again|twice|once)/gi;

/** Run in the page, which has a document; the tests are compiled without one. */
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

/** What a page says about money that has arrived, outside of the marks that stand for a settled payout. */
export async function claimsOf(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(TEXTS_WITHOUT_PROOF);
  return texts.filter((text) => CLAIM.test(text.replaceAll(NO_CLAIM, "")));
}
