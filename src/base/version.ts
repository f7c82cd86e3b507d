import { readFileSync, statSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);
const COMMIT = /^[\da-f]{40,64}$/;
const SHORT_COMMIT = 12;

/** The version of this payrun, from package.json. */
export const version: string = fieldOf(new URL("package.json", ROOT), "version") ?? "unknown";

/** The commit that this payrun was built from. Null: unknown. */
export const commit: string | null = commitOf(ROOT);

/**
 * The build of this payrun, such as `1.0.0+2eb583380c1f`: version and commit, or `1.0.0+unknown`.
 * Changes that are not committed do not count.
 */
export const build = `${version}+${commit?.slice(0, SHORT_COMMIT) ?? "unknown"}`;

/**
 * Returns the commit of a folder with payrun: in a checkout the one that git has checked out, in a
 * release the one that `npm run release` wrote to build.json.
 *
 * @returns null if neither says, for example for a source archive.
 */
export function commitOf(root: URL): string | null {
  const found = checkedOutCommit(root) ?? fieldOf(new URL("build.json", root), "commit");
  return found !== null && COMMIT.test(found) ? found : null;
}

/**
 * Reads git's files, so that it works without git, and for a user who does not own the checkout.
 */
function checkedOutCommit(root: URL): string | null {
  const git = gitFolder(root);
  const head = git && textOf(new URL("HEAD", git));
  if (!head) return null;
  const name = /^ref: (.+)$/.exec(head)?.[1];
  if (name === undefined) return head;
  // A worktree has its own HEAD, but shares the branches.
  const shared = textOf(new URL("commondir", git));
  const common = shared === null ? git : new URL(`${shared}/`, git);
  return textOf(new URL(name, common)) ?? packed(textOf(new URL("packed-refs", common)), name);
}

/** In a worktree, `.git` is a file that names the folder. */
function gitFolder(root: URL): URL | null {
  const place = new URL(".git", root);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return new URL(".git/", root);
  const target = /^gitdir: (.+)$/.exec(textOf(place) ?? "")?.[1];
  return target === undefined ? null : new URL(`${target}/`, root);
}

/** Returns the commit of a branch in the text of `packed-refs`. */
function packed(refs: string | null, name: string): string | null {
  const line = refs?.split("\n").find((each) => each.endsWith(` ${name}`));
  return line?.split(" ")[0] ?? null;
}

function textOf(place: URL): string | null {
  try {
    return readFileSync(place, "utf8").trim();
  } catch {
    return null;
  }
}

/** Returns a text of a JSON file. Null: it has none of this name. */
function fieldOf(place: URL, name: string): string | null {
  const content: unknown = JSON.parse(textOf(place) ?? "{}");
  const found = (content as Readonly<Record<string, unknown>>)[name];
  return typeof found === "string" ? found : null;
}
