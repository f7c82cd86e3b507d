/** House rules that no linter knows. Each failure names the file and the line. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { describe, expect, test } from "vitest";

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
const ROOT_FILES = readdirSync(root).filter(
  (name) => statSync(join(root, name)).isFile() && /^[^.].*\.(md|ts|json|yml)$|^payrun$/.test(name),
);

interface SourceFile {
  readonly path: string;
  readonly lines: readonly string[];
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("dashboard/dist/"));
}

const read = (path: string): SourceFile => ({
  path,
  lines: readFileSync(join(root, path), "utf8").trimEnd().split("\n"),
});

const code = CODE_FOLDERS.flatMap(filesBelow)
  .filter((path) => /\.tsx?$/.test(path))
  .map(read);
const texts = [
  ...TEXT_FOLDERS.flatMap(filesBelow).filter((path) =>
    /\.(tsx?|css|html|md|sql|json|sh)$|run$/.test(path),
  ),
  ...ROOT_FILES.filter((name) => name !== "package-lock.json"),
].map(read);

/** Every match in these files, as "path:line match". This file holds what it looks for, so it is left out. */
const findings = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  files
    .filter(({ path }) => path !== "test/tidy.test.ts")
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => {
        const match = pattern.exec(line);
        return match ? [`${path}:${at + 1} ${match[0]}`] : [];
      }),
    );

test("there is something to look at", () => {
  expect(code.length).toBeGreaterThan(50);
  expect(texts.length).toBeGreaterThan(code.length);
});

describe("lengths are a tripwire", () => {
  const LINES_MAX = 300;
  /** Longer for a reason that was looked at. */
  const LONGER: Readonly<Record<string, string>> = {
    "test/cli/audited.test.ts": "one table: every command, and the line it leaves on the audit log",
    "test/gateway/client.test.ts": "one contract: every way in which one request can end",
    "test/simulator/simulator.test.ts": "one contract: every fault of the table, over one server",
  };

  test("a file over 300 lines has been looked at again", () => {
    const long = code.filter(({ path, lines }) => lines.length > LINES_MAX && !LONGER[path]);
    expect(long.map(({ path, lines }) => `${path} ${lines.length}`)).toEqual([]);
  });

  test("the list of exceptions holds no file that does not need it", () => {
    const short = Object.keys(LONGER).filter((path) => {
      const file = code.find((each) => each.path === path);
      return !file || file.lines.length <= LINES_MAX;
    });
    expect(short).toEqual([]);
  });
});

describe("names", () => {
  const DECLARATION = String.raw`\b(?:class|interface|type|enum|function|const|let)\s+`;

  test("say what a thing is, not that it is a thing", () => {
    const vague = new RegExp(
      `${DECLARATION}(?:\\w*(?:Service|Manager|Helper|Handler|Impl)|data|info|utils?)\\b`,
    );
    expect(findings(code, vague)).toEqual([]);
  });

  test("are the words of docs/glossary.md", () => {
    const other = new RegExp(
      `${DECLARATION}\\w*(?:recipient|payee(?!Digest)|disburse|cents)\\w*`,
      "i",
    );
    expect(findings(code, other)).toEqual([]);
  });

  test("of files are kebab-case nouns and verbs, and nothing is a drawer for everything", () => {
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

test("nothing is left to do in a comment: it is done, or it is an issue", () => {
  expect(findings(texts, /\b(?:TODO|FIXME|HACK)\b/)).toEqual([]);
});

test("nothing points into the folders of one machine", () => {
  expect(findings(texts, /(?<![\w.])\/(?:home|Users|work)\/\w+/)).toEqual([]);
});

test("our own files are imported by their names, with .ts", () => {
  const specifier = String.raw`(?:from|import)\s*\(?\s*["'](?:\.{1,2}\/|#)[^"']*(?<!\.(?:tsx?|json|css))["']`;
  expect(findings(code, new RegExp(specifier))).toEqual([]);
});

test("links between the pages lead somewhere", () => {
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

describe("what is cited is there", () => {
  test("faults and invariants stand in docs/faults.md, each once", () => {
    const told = read("docs/faults.md").lines.flatMap(
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

  test("documents are in this repository, and a section of one is a heading in it", () => {
    const cited = texts.flatMap(({ path, lines }) =>
      path === "test/tidy.test.ts"
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
      const file = [document, join(dirname(path), document), join("docs", document)].find((each) =>
        existsSync(join(root, each)),
      );
      if (!file) return true;
      const heading = new RegExp(`^#+ ${section}(?:\\.)? `);
      return section !== undefined && !read(file).lines.some((line) => heading.test(line));
    });
    const places = missing.map(
      ({ path, at, document, section }) => `${path}:${at + 1} ${document} ${section ?? ""}`,
    );
    expect(places).toEqual([]);
  });
});

test("every decision has a number of its own and says what was decided in its first line", () => {
  const decisions = filesBelow("docs/decisions").sort();
  const numbers = decisions.map((path) => basename(path).slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const path of decisions) {
    expect(read(path).lines[0]).toMatch(new RegExp(`^# ${basename(path).slice(0, 4)}:? \\S`));
  }
});

test("the README's table has every variable that src/config.ts reads, and no other", () => {
  const { lines } = read("src/config.ts");
  const known = lines.flatMap((line) => /^ +([A-Z][A-Z_]+): /.exec(line)?.[1] ?? []);
  const rows = read("README.md").lines.filter((line) => /^\| `[A-Z_]+`/.test(line));
  const told = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)]);
  expect(known.length).toBeGreaterThan(10);
  expect(new Set(told.map(([, name]) => name))).toEqual(new Set(known));
});
