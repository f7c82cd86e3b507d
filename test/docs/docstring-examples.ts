import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { scratch } from "../support/servers/payrun.ts";
import { readSource } from "../support/source-files.ts";

const root = join(import.meta.dirname, "../..");

/** An `@example` block of a docstring. */
export interface Example {
  /** The file and the line of the tag. */
  readonly place: string;
  readonly code: readonly string[];
  /** The expected output: the texts after `// →`, one per line. */
  readonly output: readonly string[];
}

const TAG = /^\s*\* @example/;
const ARROW = / \/\/ → (.+)$/;

/** Finds the examples of a file. A `ts` code block follows each tag. */
export function examplesIn(path: string): Example[] {
  const { lines } = readSource(path);
  return lines.flatMap((line, at) => {
    if (!TAG.test(line)) return [];
    const place = `${path}:${at + 1}`;
    const below = lines.slice(at + 1).map((text) => text.replace(/^\s*\* ?/, ""));
    const end = below.indexOf("```");
    if (below[0] !== "```ts" || end < 0) throw new Error(`${place}: expected a ts code block`);
    const code = below.slice(1, end);
    return [{ place, code, output: code.flatMap((text) => ARROW.exec(text)?.[1] ?? []) }];
  });
}

/** A type whose properties the examples use as variables. */
export interface Scene {
  /** The module of the type, as written in an import. */
  readonly module: string;
  readonly type: string;
  readonly names: readonly string[];
}

/**
 * Writes each example as a module and checks the types of all with the project's settings. Returns
 * the paths of the modules.
 * @throws the messages of the compiler.
 */
export function compileExamples(examples: readonly Example[], scene: Scene): readonly string[] {
  const folder = scratch();
  const { imports } = JSON.parse(readSource("package.json").lines.join("\n"));
  for (const name of ["src", "jobs", "workers", "simulator", "test", "node_modules"]) {
    symlinkSync(join(root, name), join(folder, name));
  }
  const config = { extends: join(root, "tsconfig.json"), include: ["examples"] };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", imports }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  mkdirSync(join(folder, "examples"));
  const paths = examples.map((example, at) => {
    const path = join(folder, "examples", `example-${at}.ts`);
    writeFileSync(path, moduleOf(example, scene));
    return path;
  });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "--noEmit", "-p", folder], { encoding: "utf8" });
  } catch (error) {
    throw new Error((error as { readonly stdout: string }).stdout, { cause: error });
  }
  return paths;
}

function moduleOf({ code }: Example, { module, type, names }: Scene): string {
  const isImport = (line: string) => line.startsWith("import ");
  return [
    `import type { ${type} } from "${module}";`,
    ...code.filter(isImport),
    `export async function run(scene: ${type}, console: Pick<Console, "log">) {`,
    `const { ${names.join(", ")} } = scene;`,
    // This block lets an example declare a variable with a name of the scene.
    "{",
    ...code.filter((line) => !isImport(line)),
    "}",
    "}",
  ].join("\n");
}

/** Runs a compiled example and returns the lines that it prints. */
export async function outputOf(path: string, scene: object): Promise<readonly string[]> {
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(format(...values));
  const { run } = await import(path);
  await run(scene, { log });
  return printed;
}
