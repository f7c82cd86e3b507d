import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The list of the build: the file of each module, and the modules and styles that it needs. */
type Manifest = Readonly<Record<string, ManifestEntry | undefined>>;
interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const ENTRY = "index.html";
const LATE_STYLES = "src/base/late-styles.ts";

/** The pages that people open first, and the modules that they load. */
export const PRELOADED: readonly (readonly [page: RegExp, modules: readonly string[]])[] = [
  [/^\/$/, ["src/pages/operations/home/home.tsx", "src/pages/operations/home/figures.tsx"]],
  [/^\/batches\/[^/]+$/, ["src/pages/intake/batch/batch.tsx", LATE_STYLES]],
  [/^\/batches\/[^/]+\/approval$/, ["src/pages/approval/sheet/approval-sheet.tsx", LATE_STYLES]],
];

/** Reads the manifest in the folder of the built dashboard. Without one, no page has preloads. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, ".vite", "manifest.json"), "utf8").catch(() => "{}");
  return JSON.parse(text) as Manifest;
}

/**
 * Returns the HTML elements that let a browser request the files of the page at this path, and its
 * session, together with the first script. Otherwise a phone waits for each in turn.
 */
export function preloadsOf(path: string, manifest: Manifest): string {
  const [, modules = []] = PRELOADED.find(([page]) => page.test(path)) ?? [];
  const files = new Set<string>();
  const add = (name: string): void => {
    const entry = manifest[name];
    if (name === ENTRY || !entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const style of entry.css ?? []) files.add(style);
    for (const imported of entry.imports ?? []) add(imported);
  };
  for (const module of modules) add(module);
  if (files.size === 0) return "";
  const session = `<link rel="preload" as="fetch" crossorigin href="/api/session">`;
  return [session, ...[...files].map(preloadOf)].join("");
}

const preloadOf = (file: string): string => {
  const how = file.endsWith(".css") ? `rel="preload" as="style"` : `rel="modulepreload"`;
  return `<link ${how} crossorigin href="/${file}">`;
};
