/**
 * `npm run complete-lock`: adds the binaries of other platforms that npm left out of package-lock.json.
 *
 * npm writes only those that the registry at hand (or the node_modules at hand) has, and then `npm ci`
 * refuses the lock on every machine. An entry with a version and a platform is enough: what does not
 * fit a machine is never fetched there. A test says when this is needed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Entry {
  version?: string;
  cpu?: string[];
  dev?: boolean;
  libc?: string[];
  optional?: boolean;
  os?: string[];
  peer?: boolean;
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, Entry>;
}

const OS = ["aix", "android", "darwin", "freebsd", "linux", "openharmony", "sunos", "win32"];
const CPU = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const LIBC = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" };

/** The platform as these packages have it in their names: "binding-linux-arm64-musl". */
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const words = name.split(/[/-]/);
  const os = OS.find((each) => words.includes(each));
  const cpu = CPU.find((each) => words.includes(each));
  if (!os || !cpu) throw new Error(`${name} does not say its platform; add it to the lock by hand`);
  const libc = Object.entries(LIBC).find(([word]) => words.includes(word))?.[1];
  return { cpu: [cpu], ...(libc && os === "linux" ? { libc: [libc] } : {}), os: [os] };
}

/** The optional dependencies that some package of the lock names and the lock does not hold. */
export function missingFrom({
  packages,
}: Lock): { name: string; version: string; parent: Entry }[] {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(
        ([name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      )
      .map(([name, version]) => ({ name, version, parent })),
  );
}

const path = join(import.meta.dirname, "..", "package-lock.json");
export const readLock = (): Lock => JSON.parse(readFileSync(path, "utf8")) as Lock;

if (import.meta.main) {
  const lock = readLock();
  for (const { name, version, parent } of missingFrom(lock)) {
    const { cpu, libc, os } = platformOf(name);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu }),
      ...(parent.dev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      ...(os && { os }),
      ...(parent.peer && { peer: true }),
    };
    console.log(`added ${name}@${version}`);
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  const text = JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2);
  writeFileSync(path, `${text}\n`);
}
