import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SOURCES } from "./sentence-sources.ts";
import { SENTENCES } from "./sentences.ts";
import { titlesOf } from "./titles.ts";

const root = join(import.meta.dirname, "..", "..");
const SENTENCE = /\bSPEC-[A-Z]\d+\b/g;

interface Named {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the tests that name each sentence in their titles, including sentences missing from the
 * table.
 */
export function namedSentences(): Map<string, Named[]> {
  const found = new Map<string, Named[]>();
  const paths = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts"))
    .toSorted();
  for (const path of paths) {
    const titles = titlesOf(readFileSync(join(root, path), "utf8"), SENTENCE);
    for (const { faults: ids, text } of titles) {
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), { path, text }]);
    }
  }
  return found;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** Returns docs/reference/specification-coverage.md. */
export function specificationPage(): string {
  const named = namedSentences();
  const sections = [...new Set(SENTENCES.map(({ section }) => section))];
  const tables = sections.map((section) => {
    const rows = SENTENCES.filter((sentence) => sentence.section === section).map(
      ({ id, says }) => {
        const tests = (named.get(id) ?? []).map(
          ({ path, text }) => `[${cell(text)}](../../${path})`,
        );
        const sources = (SOURCES.get(id) ?? []).map(
          (path) => `[${path.replace("src/", "")}](../../${path})`,
        );
        const cells = [id, cell(says), sources.join("<br>"), [...new Set(tests)].join("<br>")];
        return `| ${cells.join(" | ")} |`;
      },
    );
    const head = ["| Id | Statement | Source | Tests |", "|---|---|---|---|"];
    return [`## ${section}`, "", ...head, ...rows].join("\n");
  });
  return `# Specification coverage

For developers: every statement about the interface in the gateway's specification, in short, with the source files that implement it and the tests that cite it. You can run
\`test/contract/\` against a staging gateway ([gateway.md](gateway.md) section 16). \`npm run specification-page\` generates this page; a test
fails when the page is stale, or when a statement has no source file or no test.

${tables.join("\n\n")}
`;
}
