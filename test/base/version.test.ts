import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { build, commit, commitOf, version } from "#base/version.ts";
import { ROOT, runPayrun, scratch } from "../support/servers/payrun.ts";

const COMMIT = "2eb583380c1f000000000000000000000000aaaa";
const OTHER = "77cfb40a6c1f000000000000000000000000bbbb";

/** Writes the files into a new folder and returns the commit that it has. */
function commitIn(files: Readonly<Record<string, string>>, below = ""): string | null {
  const root = scratch();
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text.replaceAll("ROOT", root)}\n`);
  }
  return commitOf(pathToFileURL(`${join(root, below)}/`));
}

describe("the commit", () => {
  test.each([
    ["a branch", { ".git/HEAD": "ref: refs/heads/main", ".git/refs/heads/main": COMMIT }],
    [
      "a packed branch",
      {
        ".git/HEAD": "ref: refs/heads/main",
        ".git/packed-refs": `# pack-refs\n${OTHER} refs/heads/not-main\n${COMMIT} refs/heads/main`,
      },
    ],
    ["a detached HEAD", { ".git/HEAD": COMMIT }],
    ["a release", { "build.json": JSON.stringify({ commit: COMMIT }) }],
    [
      "a checkout with the build.json of an earlier release",
      { ".git/HEAD": COMMIT, "build.json": JSON.stringify({ commit: OTHER }) },
    ],
  ])("is read from %s", (_name, files) => {
    expect(commitIn(files)).toBe(COMMIT);
  });

  test("is read from a worktree, whose branches are in the main folder", () => {
    const files = {
      "tree/.git": "gitdir: ROOT/.git/worktrees/tree",
      ".git/worktrees/tree/HEAD": "ref: refs/heads/topic",
      ".git/worktrees/tree/commondir": "../..",
      ".git/HEAD": OTHER,
      ".git/refs/heads/topic": COMMIT,
    };
    expect(commitIn(files, "tree")).toBe(COMMIT);
  });

  test.each([
    ["neither git nor a release", {}],
    ["a branch without commits", { ".git/HEAD": "ref: refs/heads/main" }],
    ["a build without a commit", { "build.json": JSON.stringify({ commit: "unknown" }) }],
  ])("is unknown with %s", (_name, files) => {
    expect(commitIn(files)).toBeNull();
  });
});

test("a program starts in a checkout whose branches git has packed", () => {
  const root = scratch();
  for (const folder of ["src/base", ".git"]) mkdirSync(join(root, folder), { recursive: true });
  const module = join(root, "src/base/version.ts");
  copyFileSync(join(ROOT, "src/base/version.ts"), module);
  writeFileSync(join(root, "package.json"), '{ "version": "1.2.3", "type": "module" }');
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/packed-refs"), `${COMMIT} refs/heads/main\n`);
  const program = `import { build } from ${JSON.stringify(pathToFileURL(module).href)}; console.log(build);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
  expect(printed.toString()).toBe(`1.2.3+${COMMIT.slice(0, 12)}\n`);
});

test("the build is the version with the short commit", () => {
  expect(version).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
  expect(build).toBe(`${version}+${commit?.slice(0, 12) ?? "unknown"}`);
});

test("payrun --version prints version and commit", async () => {
  const { stdout, code } = await runPayrun(["--version"]);
  expect({ stdout, code }).toEqual({
    stdout: `payrun ${version} (commit ${commit ?? "unknown"})\n`,
    code: 0,
  });
});
