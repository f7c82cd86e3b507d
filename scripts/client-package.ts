import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const SPECIFIER = /(\bfrom |\bimport\()"([^"]+)"/g;

/**
 * Writes the gateway client into a folder as its own package: plain JavaScript with its types
 * (src/gateway/README.md).
 */
export function writeClientPackage(folder: string): void {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const project = join(import.meta.dirname, "client.tsconfig.json");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder]);

  const outside = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:js|d\.ts)$/.test(name)) continue;
    const path = join(folder, name);
    const rewritten = readFileSync(path, "utf8").replace(SPECIFIER, (_all, before, specifier) => {
      const inside = insideOf(specifier, dirname(path), folder);
      if (inside === null && !specifier.startsWith("node:")) outside.add(packageOf(specifier));
      return `${before}"${inside ?? specifier}"`;
    });
    writeFileSync(path, rewritten);
  }
  copyFileSync(join(ROOT, "src", "gateway", "README.md"), join(folder, "README.md"));
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest(outside), null, 2));
}

/**
 * Path of one of payrun's files relative to another, for each way of importing it. Null: not a file
 * of payrun.
 */
function insideOf(specifier: string, from: string, folder: string): string | null {
  if (!/^[.#]/.test(specifier)) return null;
  const path = specifier.startsWith("#")
    ? relative(from, join(folder, specifier.slice(1)))
    : specifier;
  return `${path.startsWith(".") ? "" : "./"}${path}`.replace(/\.ts$/, ".js");
}

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

function manifest(outside: ReadonlySet<string>): object {
  const ours = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return {
    name: "payrun-gateway",
    version: ours.version,
    description: "Typed client of the payment gateway that payrun pays through.",
    license: ours.license,
    type: "module",
    engines: ours.engines,
    exports: { types: "./gateway/gateway.d.ts", default: "./gateway/gateway.js" },
    dependencies: Object.fromEntries([...outside].map((name) => [name, ours.dependencies[name]])),
  };
}
