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

/** A page that people open first, the modules that it loads and the data that it requests. */
interface PreloadedPage {
  readonly page: RegExp;
  readonly modules: readonly string[];
  /**
   * Modules of its lower parts. The browser loads them after the others, while the page starts, so
   * that it does not first discover them when it renders those parts.
   */
  readonly later?: readonly string[];
  readonly data: (id: string) => readonly string[];
}

/** The pages whose files and data the HTML names. */
export const PRELOADED: readonly PreloadedPage[] = [
  {
    page: /^\/$/,
    modules: ["src/pages/operations/home/home.tsx"],
    later: ["src/pages/operations/home/figures.tsx"],
    data: () => ["/api/home/tasks", "/api/home/figures"],
  },
  {
    page: /^\/batches\/(\w+)$/,
    modules: ["src/pages/intake/batch/batch.tsx", LATE_STYLES],
    later: [
      "src/pages/intake/batch/batch-payout-list.tsx",
      "src/pages/intake/batch/batch-chips.tsx",
    ],
    data: (id) => [`/api/batches/${id}`],
  },
  {
    page: /^\/batches\/(\w+)\/approval$/,
    modules: ["src/pages/approval/sheet/approval-sheet.tsx", LATE_STYLES],
    later: ["src/components/comments/comments.tsx"],
    data: (id) => [`/api/batches/${id}/approval`, `/api/batches/${id}`],
  },
  {
    page: /^\/api\/docs(?:\/|$)/,
    modules: ["src/pages/api-docs/pages.ts", LATE_STYLES],
    data: () => ["/api/openapi.json"],
  },
];

/** Reads the manifest in the folder of the built dashboard. Without one, no page has preloads. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, ".vite", "manifest.json"), "utf8").catch(() => "{}");
  return JSON.parse(text) as Manifest;
}

/**
 * Returns the HTML elements that let a browser request the files and the data of the page at this
 * URL together with the first script. Otherwise a phone waits for each in turn. Another tab than
 * the first does not show the lower parts.
 *
 * @param isSignedIn false: the server would refuse the data.
 */
export function preloadsOf(url: string, manifest: Manifest, isSignedIn: boolean): string {
  const [path = "", query = ""] = url.split("?", 2);
  const found = PRELOADED.find(({ page }) => page.test(path));
  if (!found) return "";
  const first = filesOf(found.modules, manifest);
  const hasLowerParts = !new URLSearchParams(query).has("tab");
  const later = filesOf(hasLowerParts ? (found.later ?? []) : [], manifest).difference(first);
  const [, id = ""] = found.page.exec(path) ?? [];
  const addresses = ["/api/session", ...(isSignedIn ? ["/api/frame", ...found.data(id)] : [])];
  return [
    ...addresses.map(dataPreload),
    ...[...first].map((file) => filePreload(file)),
    ...[...later].map((file) => filePreload(file, " fetchpriority=low")),
  ].join("");
}

/** Returns the files of these modules and of those that they import, without the first script. */
function filesOf(modules: readonly string[], manifest: Manifest): Set<string> {
  const files = new Set<string>();
  const add = (name: string): void => {
    const entry = manifest[name];
    if (name === ENTRY || !entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const style of entry.css ?? []) files.add(style);
    for (const imported of entry.imports ?? []) add(imported);
  };
  for (const module of modules) add(module);
  return files;
}

const dataPreload = (address: string): string =>
  `<link rel="preload" as="fetch" crossorigin href="${address}">`;

const filePreload = (file: string, priority = ""): string => {
  const how = file.endsWith(".css") ? `rel="preload" as="style"` : `rel="modulepreload"`;
  return `<link ${how} crossorigin${priority} href="/${file}">`;
};
