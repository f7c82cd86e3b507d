/**
 * `npm run release -- VERSION`: sets the version, writes the section of the changelog, commits
 * both, and builds the artefacts in release/. Without VERSION: builds those of the current commit.
 *
 * It neither tags nor publishes. Every artefact names the commit, so no file may be uncommitted.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Description, withRelease } from "./release/changelog.ts";
import { emptyFolder, pack, readJson, ROOT, writeJson, writePackage } from "./release/package.ts";

/** The files that the Dockerfile and docker-compose.yml read. */
const IMAGE_INPUTS = [
  "Dockerfile",
  ".dockerignore",
  "docker-compose.yml",
  "docker",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "payrun",
  "scripts/node",
  "src",
  "jobs",
  "workers",
  "migrations",
  "simulator",
  "samples",
  "docs/operate/runbook.md",
  "dashboard",
];

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 ** 2,
  }).trim();

if (run("git", "status", "--porcelain") !== "") {
  throw new Error("Some files are not committed. Commit or remove them: git status");
}
const [wanted] = process.argv.slice(2);
if (wanted !== undefined) commitRelease(wanted);
buildArtefacts();

function commitRelease(version: string): void {
  const path = join(ROOT, "CHANGELOG.md");
  run("npm", "run", "--silent", "openapi");
  const description = readJson(join(ROOT, "openapi.json")) as Description;
  const date = new Date().toISOString().slice(0, 10);
  const changelog = withRelease(readFileSync(path, "utf8"), version, date, description);
  run(
    "npm",
    "version",
    "--no-git-tag-version",
    "--ignore-scripts",
    "--allow-same-version",
    version,
  );
  run("npm", "run", "--silent", "openapi");
  writeFileSync(path, changelog);
  run("git", "commit", "--quiet", "--all", "--message", `Release ${version}`);
}

function buildArtefacts(): void {
  const { version } = readJson(join(ROOT, "package.json")) as { version: string };
  const commit = run("git", "rev-parse", "HEAD");
  const target = emptyFolder(join(ROOT, "release"));
  const folder = mkdtempSync(join(tmpdir(), "payrun-release-"));
  try {
    run("npm", "run", "--silent", "build");
    writePackage(emptyFolder(join(folder, "package")), commit);
    const names = [pack(join(folder, "package"), target), ...imageInputs(version, commit, target)];
    const lines = names.map((path) => `${digestOfFile(path)}  ${basename(path)}\n`);
    writeFileSync(join(target, "SHA256SUMS"), lines.join(""));
    console.log(`payrun ${version} (commit ${commit}) in release/:\n${lines.join("")}`);
    console.log(`Try it in an empty folder: npx ${join(target, `payrun-${version}.tgz`)} demo`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the SBOM of what runs, and an archive for `docker build`, which contains it as well. */
function imageInputs(version: string, commit: string, target: string): string[] {
  const omitted = ["--omit", "dev", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const sbom = join(target, "sbom.cdx.json");
  writeFileSync(sbom, `${run("npm", "sbom", ...omitted)}\n`);
  const build = join(target, "build.json");
  writeJson(build, { commit });
  const archive = join(target, `payrun-${version}-image.tar.gz`);
  const added = [sbom, build].map((path) => `--add-file=${path}`);
  run("git", "archive", ...added, "--output", archive, commit, ...IMAGE_INPUTS);
  rmSync(build);
  return [archive, sbom];
}

function digestOfFile(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
