import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Sabotage, sabotaged } from "./sabotage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Files that a build needs to run. */
export const PARTS =
  "src jobs workers simulator proof bench migrations samples test scripts package.json vitest.config.ts payrun".split(
    " ",
  );

/** A copy of the product next to the real one, in which one mistake can be made. */
export class Build {
  readonly folder = mkdtempSync(join(tmpdir(), "payrun-sabotage-"));

  constructor() {
    for (const part of PARTS) {
      cpSync(join(ROOT, part), join(this.folder, part), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Inserts the mistake. Returns a function that removes it. */
  apply({ edits }: Sabotage): () => void {
    const files = new Map(
      edits.map(({ file }) => [file, readFileSync(join(this.folder, file), "utf8")] as const),
    );
    const changed = new Map(files);
    for (const edit of edits) {
      changed.set(edit.file, sabotaged(changed.get(edit.file) ?? "", edit));
    }
    const write = (texts: ReadonlyMap<string, string>) => {
      for (const [file, text] of texts) writeFileSync(join(this.folder, file), text);
    };
    write(changed);
    return () => write(files);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
