import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../deposit/page");
const NAMES = { css: "page.css", js: "page-script.js" } as const;
const TYPES = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" } as const;

interface PayFile {
  readonly type: string;
  readonly text: string;
}

/**
 * Provides the style and the script of the payment page. Their names contain their digests, so
 * their contents never change.
 */
export function payFiles(address: string) {
  const served = new Map<string, PayFile>();
  const add = (kind: keyof typeof TYPES): string => {
    const text = readFileSync(join(FOLDER, NAMES[kind]), "utf8");
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const path = `${address}/page-${digest}.${kind}`;
    served.set(path, { type: TYPES[kind], text });
    return path;
  };
  return { names: { css: add("css"), js: add("js") }, at: (path: string) => served.get(path) };
}
