/** Texts for people use the terms of glossary.md and few constructions that natives avoid. */
import { describe, expect, test } from "vitest";

import {
  compareWithBudget,
  countMarkers,
  folderOf,
  oldTermUses,
  passagesOf,
  proseFiles,
  readBudget,
  readOldTerms,
  readPassages,
  usesOf,
} from "../scripts/prose/prose.ts";
import { MARKERS } from "../scripts/prose/prose-rules.ts";
import { KINDS } from "../scripts/prose/prose-texts.ts";

const files = proseFiles();
const passages = readPassages(files);
const terms = readOldTerms();
const counts = countMarkers(passages);

/** The texts of one file, as "line kind text". */
const textsOf = (path: string, ...lines: readonly string[]): string[] =>
  passagesOf(path, lines.join("\n")).map(
    ({ kind, text, lineAt }) => `${lineAt(0)} ${kind} ${text}`,
  );

const oldTermsIn = (path: string, ...lines: readonly string[]): string[] =>
  oldTermUses(passagesOf(path, lines.join("\n")), terms);

describe("this repository", () => {
  test("has texts of every kind", () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(terms.length).toBeGreaterThan(50);
    for (const kind of KINDS) {
      const found = passages.filter((passage) => passage.kind === kind);
      expect(found.length, kind).toBeGreaterThan(40);
    }
  });

  test("uses no old term", () => {
    expect(oldTermUses(passages, terms)).toEqual([]);
  });

  test("stays within the budget of every folder", () => {
    const { above } = compareWithBudget(counts, readBudget());
    const places = MARKERS.filter(({ name }) => above.some((text) => text.includes(` ${name}:`)))
      .map(({ name, pattern, instead }) => ({ name, instead, uses: usesOf(passages, pattern) }))
      .flatMap(({ name, instead, uses }) =>
        uses
          .filter(({ place }) =>
            above.some((text) => text.startsWith(`${folderOf(place)} ${name}:`)),
          )
          .map(({ place, words }) => `${place} "${words}" → ${instead}`),
      );
    expect([...above, ...places]).toEqual([]);
  });

  test("has no budget far above its counts: npm run prose-budget lowers it", () => {
    expect(compareWithBudget(counts, readBudget()).below).toEqual([]);
  });
});

const SENTENCES = [
  ["what-clause", "What the gateway reports is stored."],
  ["of-it", "The row has an error, and the reader learns of it."],
  ["stands", "The reason stands in the audit log."],
  ["nothing-is", "Nothing is sent twice."],
  ["whoever", "Ask whoever uploaded the file."],
  ["is-told", "The approver is told by e-mail."],
  ["beside", "The totals are beside the rows."],
  ["archaic", "The page is loaded anew."],
  ["brought", "The file was brought on Monday."],
  ["put-off", "The batch was kept back."],
  ["word", "It needs the word of an approver."],
  ["too-at-the-end", "The deposit waits, too."],
  ["any-more", "The key does not work any more."],
  ["so-that-may", "The lock is released so that another worker may claim the payout."],
  ["who-without-subject", "Who approves the batch sees the total."],
] as const;

describe("markers", () => {
  test.each(SENTENCES)("find %s", (marker, sentence) => {
    const found = countMarkers(passagesOf("docs/page.md", sentence));
    expect(found).toEqual({ docs: { [marker]: 1 } });
  });

  test("have an example sentence each, and ignore other sentences", () => {
    expect(SENTENCES.map(([name]) => name)).toEqual(MARKERS.map(({ name }) => name));
    const plain = "Who can approve? What happens next? A clock stands still. Stop, and try again.";
    expect(countMarkers(passagesOf("docs/page.md", plain))).toEqual({});
  });

  test("are found across the lines of a comment", () => {
    const found = passagesOf("src/money/a.ts", "// The total\n// is beside\n// the rows.\n");
    expect(countMarkers(found)).toEqual({ "src/money": { beside: 1 } });
  });
});

describe("budgets", () => {
  const budget = { src: { beside: 3 } };

  test("fail above the count, and when they are far above it", () => {
    expect(compareWithBudget({ src: { beside: 4 } }, budget).above).toEqual([
      "src beside: 4, budget 3",
    ]);
    expect(compareWithBudget({ docs: { stands: 1 } }, {}).above).toEqual([
      "docs stands: 1, budget 0",
    ]);
    expect(compareWithBudget({}, budget).below).toEqual(["src beside: 0, budget 3"]);
    expect(compareWithBudget({ src: { beside: 1 } }, budget)).toEqual({ above: [], below: [] });
  });
});

describe("old terms", () => {
  test("of the glossary are found, with the term to use", () => {
    for (const { words, use } of terms) {
      const sentence = `Then ${words.replace("…", "every")} again.`;
      expect(oldTermsIn("docs/page.md", sentence), words).toContain(
        `docs/page.md:1 "${words.replace("…", "every")}" → use ${use}`,
      );
    }
  });

  test.each([
    ["The circuit breakers braked.", "braked"],
    ["Two brakes stopped the lane.", "brakes"],
    ["The admin puts a batch off.", "puts a batch off"],
    ["The payouts were let go.", "let go"],
    ["An operator brought the file.", "brought"],
    ["A user is submitting the batch.", "submitting the batch"],
    ["The operator triaged them.", "triaged"],
    ["The stories of three payouts.", "stories"],
  ])("are found in all forms: %s", (sentence, words) => {
    expect(oldTermsIn("src/a.ts", `const text = "${sentence}";`)).toEqual([
      expect.stringContaining(`src/a.ts:1 "${words}" → use `),
    ]);
  });

  test("have the line of their word", () => {
    expect(oldTermsIn("src/a.ts", "/**", " * A rule", " * for the", " * brake.", " */")).toEqual([
      'src/a.ts:4 "brake" → use circuit breaker',
    ]);
  });

  test("are allowed as code, as data, in old migrations and as quotes in decisions", () => {
    expect(oldTermsIn("docs/page.md", "Set `the brake`, see [the page](brake.md).")).toEqual([]);
    expect(oldTermsIn("src/a.ts", 'const code = "brake"; const id = "DESK B1";')).toEqual([]);
    expect(oldTermsIn("migrations/0001-ledger.sql", "-- the brake of a lane")).toEqual([]);
    expect(oldTermsIn("docs/decisions/0001-a.md", 'It was called a "brake".')).toEqual([]);
    expect(oldTermsIn("migrations/0999-ledger.sql", "-- the brake of a lane")).toHaveLength(1);
    expect(oldTermsIn("docs/decisions/0001-a.md", "The brake of a lane.")).toHaveLength(1);
  });
});

describe("texts", () => {
  test("of code are comments, literals with a space, and the text of elements", () => {
    const found = textsOf(
      "src/a.tsx",
      "/** One rule. */",
      "// First line",
      "// of a comment.",
      "",
      "// Second comment.",
      "import { a } from './a b.ts';",
      "const one = 'single', two = `pays ${a(`inner text`)} to you`;",
      "const three = <p className='one two' title='A title'>Text of",
      "  an element</p>;",
      "const four = sql`select brake from lanes`;",
    );
    expect(found.sort()).toEqual([
      "1 comment One rule.",
      "2 comment First line of a comment.",
      "5 comment Second comment.",
      "7 string inner text",
      "7 string pays X to you",
      "8 jsx Text of an element",
      "8 string A title",
    ]);
  });

  test("of style sheets and migrations are comments", () => {
    expect(
      textsOf("a.css", ".a {", "  /* Two lines", "   * of text. */", "  color: red;", "}"),
    ).toEqual(["2 comment Two lines of text."]);
    expect(textsOf("migrations/0001-a.sql", "-- Two lines", "-- of text.", "select 1;")).toEqual([
      "1 sql Two lines of text.",
    ]);
  });

  test("of a page are headings, paragraphs, list items and cells, without code", () => {
    const found = textsOf(
      "docs/page.md",
      "# The title",
      "Two lines",
      "of text, see [a page](https://example.com/a-page) and `some code`.",
      "- First item",
      "```sh",
      "run a command",
      "```",
      "| One cell | Other cell |",
    );
    expect(found).toEqual([
      "1 markdown # The title",
      "2 markdown Two lines of text, see [a page] and X.",
      "4 markdown - First item",
      "8 markdown One cell",
      "8 markdown Other cell",
    ]);
  });
});
