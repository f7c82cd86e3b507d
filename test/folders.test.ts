import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { beforeAll, expect, test } from "vitest";
import { parseSync } from "vite";
import { codeFiles } from "./support/source-files.ts";

const root = join(import.meta.dirname, "..");
/** Maximum number of source files in one folder. */
const FILES_MAX = 20;
/** Folders at the top of the map in package.json that are not below `src`. */
const OUTSIDE_SRC = ["jobs", "workers", "simulator", "proof"];

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Returns the file that an import names, relative to the root; null for a package. */
function target(file: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
  if (!specifier.startsWith("#")) return null;
  const path = specifier.slice(1);
  return OUTSIDE_SRC.includes(path.split("/")[0] ?? "") ? path : `src/${path}`;
}

/** Returns the imports of a file, types and dynamic imports included. */
function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
  ];
  return specifiers.flatMap((specifier) => {
    const to = target(file, specifier);
    return to === null ? [] : [{ from: file, to }];
  });
}

let files: readonly string[] = [];
let imports: readonly Import[] = [];

beforeAll(() => {
  files = codeFiles();
  imports = files.flatMap(importsOf);
});

test("finds the source files and their imports", () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(imports.length).toBeGreaterThan(files.length);
  const known = new Set([...files, "client/operations.ts"]);
  expect(imports.filter(({ to }) => /\/.+\.tsx?$/.test(to) && !known.has(to))).toEqual([]);
});

test("keeps every folder at 20 source files or fewer", () => {
  const large = [...Map.groupBy(files, (file) => dirname(file))]
    .filter(([, inside]) => inside.length > FILES_MAX)
    .map(([folder, inside]) => `${folder}: ${inside.length} files`);
  expect(large).toEqual([]);
});

test("lets no two folders import each other", () => {
  const byPair = Map.groupBy(imports, ({ from, to }) => `${dirname(from)} ${dirname(to)}`);
  const mutual = [...byPair].flatMap(([pair, there]) => {
    const [from = "", to = ""] = pair.split(" ");
    const back = byPair.get(`${to} ${from}`);
    if (!back || from >= to) return [];
    const fewer = there.length < back.length ? there : back;
    return [
      `${from} and ${to}: ${fewer.map((each) => `${each.from} imports ${each.to}`).join(", ")}`,
    ];
  });
  expect(mutual).toEqual([]);
});
