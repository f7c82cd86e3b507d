import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface SourceFile {
  /** Relative to the root. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** Reads a file of the repository. */
export const readSource = (path: string): SourceFile => ({
  path,
  lines: readFileSync(join(root, path), "utf8").trimEnd().split("\n"),
});

/** Lists all TypeScript files, except generated ones, relative to the root. */
export const codeFiles = (): string[] =>
  globSync("{src,client,jobs,workers,simulator,bench,proof,scripts,test,dashboard}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["dashboard/dist/**", "client/operations.ts"],
  }).toSorted();
