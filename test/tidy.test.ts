/** House rules that no linter knows. Each failure names the file and the line. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { describe, expect, test } from "vitest";
import { codeFiles, readSource, type SourceFile } from "./support/source-files.ts";

const root = join(import.meta.dirname, "..");

const CODE_FOLDERS = [
  "src",
  "jobs",
  "workers",
  "simulator",
  "bench",
  "proof",
  "scripts",
  "test",
  "dashboard",
];
const TEXT_FOLDERS = [...CODE_FOLDERS, "docs", "migrations", ".ci", "docker"];
/** The folders of the documentation: where to begin, tasks, operation, reasons, reference. */
const DOCS_FOLDERS = ["start", "use", "operate", "understand", "understand/proof", "reference"].map(
  (name) => `docs/${name}`,
);

const ROOT_FILES = readdirSync(root).filter(
  (name) => statSync(join(root, name)).isFile() && /^[^.].*\.(md|ts|json|yml)$|^payrun$/.test(name),
);

function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("dashboard/dist/"));
}

const code = codeFiles().map(readSource);
const texts = [
  ...TEXT_FOLDERS.flatMap(filesBelow).filter((path) =>
    /\.(tsx?|css|html|md|sql|json|sh)$|run$/.test(path),
  ),
  ...ROOT_FILES.filter((name) => name !== "package-lock.json"),
].map(readSource);

/**
 * Every match in these files, as "path:line match". This file contains the patterns, so it is left
 * out.
 */
const findings = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  files
    .filter(({ path }) => path !== "test/tidy.test.ts")
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => {
        const match = pattern.exec(line);
        return match ? [`${path}:${at + 1} ${match[0]}`] : [];
      }),
    );

test("finds files to check", () => {
  expect(code.length).toBeGreaterThan(50);
  expect(texts.length).toBeGreaterThan(code.length);
});

describe("length of files", () => {
  const LINES_MAX = 300;
  /** Files that may be longer, each with the reviewed reason. */
  const LONGER: Readonly<Record<string, string>> = {
    "test/cli/app/audited.test.ts":
      "one table: every command, and the line it leaves on the audit log",
    "test/gateway/client.test.ts": "one contract: every way in which one request can end",
    "test/support/statements/fragments.ts":
      "one evaluator: every kind of expression, each of which may contain the others",
    "test/simulator/simulator.test.ts": "one contract: every fault of the table, over one server",
  };

  test("is at most 300 lines, except for reviewed files", () => {
    const long = code.filter(({ path, lines }) => lines.length > LINES_MAX && !LONGER[path]);
    expect(long.map(({ path, lines }) => `${path} ${lines.length}`)).toEqual([]);
  });

  test("has exceptions only for files that need one", () => {
    const short = Object.keys(LONGER).filter((path) => {
      const file = code.find((each) => each.path === path);
      return !file || file.lines.length <= LINES_MAX;
    });
    expect(short).toEqual([]);
  });
});

describe("names", () => {
  const DECLARATION = String.raw`\b(?:class|interface|type|enum|function|const|let)\s+`;

  test("contain no vague words such as Manager or Helper", () => {
    const vague = new RegExp(
      `${DECLARATION}(?:\\w*(?:Service|Manager|Helper|Handler|Impl)|data|info|utils?)\\b`,
    );
    expect(findings(code, vague)).toEqual([]);
  });

  test("use the terms of docs/reference/glossary.md", () => {
    const other = new RegExp(
      `${DECLARATION}\\w*(?:recipient|payee(?!Digest)|disburse|cents)\\w*`,
      "i",
    );
    expect(findings(code, other)).toEqual([]);
  });

  test("of files are kebab-case nouns and verbs, without catch-all names", () => {
    const odd = code
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config))?\.tsx?$/.test(basename(path)) ||
          /(?:^|[/-])(?:utils?|helpers?|common|misc|index)\.tsx?$/.test(path),
      );
    expect(odd).toEqual([]);
  });
});

test("comments contain no open tasks", () => {
  expect(findings(texts, /\b(?:TODO|FIXME|HACK)\b/)).toEqual([]);
});

test("no text names the folders of one machine", () => {
  expect(findings(texts, /(?<![\w.])\/(?:home|Users|work)\/\w+/)).toEqual([]);
});

test("imports name our own files with .ts", () => {
  const specifier = String.raw`(?:from|import)\s*\(?\s*["'](?:\.{1,2}\/|#)[^"']*(?<!\.(?:tsx?|mjs|json|css))["']`;
  expect(findings(code, new RegExp(specifier))).toEqual([]);
});

test("links between the pages have targets", () => {
  const pages = texts.filter(({ path }) => path.endsWith(".md"));
  const links = pages.flatMap(({ path, lines }) =>
    [...lines.join("\n").matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
      ([, target = ""]) => ({
        path,
        target,
      }),
    ),
  );
  const broken = links.filter(({ path, target }) => !existsSync(join(root, dirname(path), target)));
  expect(links.length).toBeGreaterThan(0);
  expect(broken.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
});

describe("cited items exist", () => {
  test("faults and invariants are in docs/understand/proof/faults.md, each once", () => {
    const told = readSource("docs/understand/proof/faults.md").lines.flatMap(
      (line) => /^\| ([FI]\d+) \|/.exec(line)?.[1] ?? [],
    );
    expect(new Set(told).size).toBe(told.length);
    const cited = texts.flatMap(({ path, lines }) =>
      lines.flatMap((line, at) =>
        [...line.matchAll(/(?<![\w-])[FI]\d{1,3}\b/g)].map(([number]) => ({
          number,
          place: `${path}:${at + 1} ${number}`,
        })),
      ),
    );
    expect(cited.length).toBeGreaterThan(told.length);
    const unknown = cited.filter(({ number }) => !told.includes(number));
    expect(unknown.map(({ place }) => place)).toEqual([]);
  });

  test("documents are in this repository, and cited sections are headings in them", () => {
    const cited = texts.flatMap(({ path, lines }) =>
      // A migration keeps its text, because every ledger stores its checksum.
      ["test/tidy.test.ts", "test/prose.test.ts", "migrations/0056-table-names.sql"].includes(path)
        ? []
        : lines.flatMap((line, at) =>
            [
              ...line.matchAll(
                /(?<![\w:/])((?:[\w.-]+\/)*[\w-]+\.md)(?: (?:sections? )?(\d[\d.]*\d|\d)?)?/g,
              ),
            ].map(([, document = "", section]) => ({ path, at, document, section })),
          ),
    );
    expect(cited.length).toBeGreaterThan(20);
    const missing = cited.filter(({ path, document, section }) => {
      const file = [
        document,
        join(dirname(path), document),
        ...DOCS_FOLDERS.map((folder) => join(folder, document)),
      ].find((each) => existsSync(join(root, each)));
      if (!file) return true;
      const heading = new RegExp(`^#+ ${section}(?:\\.)? `);
      return section !== undefined && !readSource(file).lines.some((line) => heading.test(line));
    });
    const places = missing.map(
      ({ path, at, document, section }) => `${path}:${at + 1} ${document} ${section ?? ""}`,
    );
    expect(places).toEqual([]);
  });
});

describe("decisions", () => {
  const decisions = filesBelow("docs/decisions").filter((path) => !path.endsWith("README.md"));
  const numberOf = (path: string) => basename(path).slice(0, 4);

  test("have a unique number, a title, and a date with a status", () => {
    expect(new Set(decisions.map(numberOf)).size).toBe(decisions.length);
    for (const path of decisions) {
      const [title, , status] = readSource(path).lines;
      expect(title).toMatch(new RegExp(`^# ${numberOf(path)}: [A-Z]`));
      expect(status, path).toMatch(/^Accepted on \d{4}-\d\d-\d\d(?:, supersede[ds] .*)?\.$/);
    }
  });

  test("are all in the index, which names every missing number", () => {
    const index = readSource("docs/decisions/README.md").lines.join("\n");
    expect(decisions.filter((path) => !index.includes(`(${basename(path)})`))).toEqual([]);
    const gaps = [...index.matchAll(/\b(\d{4})(?:–(\d{4}))?(?=[,.])/g)].flatMap(([, from, to]) =>
      Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, at) => Number(from) + at),
    );
    const numbers = new Set([...decisions.map((path) => Number(numberOf(path))), ...gaps]);
    const last = Math.max(...decisions.map((path) => Number(numberOf(path))));
    expect(Array.from({ length: last }, (_, at) => at + 1).filter((n) => !numbers.has(n))).toEqual(
      [],
    );
  });
});

/**
 * The variables that a page's rows define: before the colon of a list item, or in the first cell.
 */
const variablesOf = (page: string) =>
  readSource(page).lines.flatMap((line) => {
    const defined = /^(?:\| (`[^|]*)\||- ((?:`[A-Z_]+`(?:, )?)+))/.exec(line);
    return [...(defined?.[1] ?? defined?.[2] ?? "").matchAll(/`([A-Z_]+)`/g)].map(
      ([, name = ""]) => name,
    );
  });

test("docs/reference/configuration.md lists exactly the variables that src/app/config.ts reads", () => {
  const { lines } = readSource("src/app/config.ts");
  const known = lines.flatMap((line) => /^ +([A-Z][A-Z_]+): /.exec(line)?.[1] ?? []);
  expect(known.length).toBeGreaterThan(10);
  expect(variablesOf("docs/reference/configuration.md").sort()).toEqual(known.sort());

  const shown = variablesOf("README.md");
  expect(shown).toHaveLength(6);
  expect(known).toEqual(expect.arrayContaining(shown));
});

test("docs/README.md links every page of the five folders, and each page names its readers", () => {
  const map = readSource("docs/README.md").lines.join("\n");
  const pages = DOCS_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  );
  expect(pages.length).toBeGreaterThan(30);
  const linked = (page: string) => map.includes(`](${page.replace("docs/", "")})`);
  expect(pages.filter((page) => !linked(page))).toEqual([]);
  const opening = (page: string) => readSource(page).lines[2] ?? "";
  expect(pages.filter((page) => !opening(page).startsWith("For "))).toEqual([]);
});

test("the README quotes the figures of docs/understand/proof/README.md", () => {
  const section =
    /## Why it is safe\n([^#]*)/.exec(readSource("README.md").lines.join("\n"))?.[1] ?? "";
  const figures = section.match(/\d[\d,]*(?: of \d+)?/g) ?? [];
  const proof = readSource("docs/understand/proof/README.md").lines.join("\n");
  expect(figures.length).toBeGreaterThan(5);
  expect(figures.filter((figure) => !proof.includes(figure))).toEqual([]);
});

test("link targets in pages are existing headings", () => {
  const pages = texts.filter(({ path }) => path.endsWith(".md"));
  const anchorsOf = (page: string) =>
    readSource(page).lines.flatMap((line) => {
      const heading = /^#+ (.*)/.exec(line)?.[1];
      if (heading === undefined) return [];
      const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
      return words.replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
    });
  const broken = pages.flatMap(({ path, lines }) =>
    [...lines.join("\n").matchAll(/\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(
      ([, target = "", anchor = ""]) => {
        const page = target === "" ? path : join(dirname(path), target);
        if (!existsSync(join(root, page))) return [];
        return anchorsOf(page).includes(anchor) ? [] : [`${path} → ${target}#${anchor}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});
