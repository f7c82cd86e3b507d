import { createHash } from "node:crypto";

const UNRELEASED = "## [Unreleased]";
const SECTION = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm;
const DIGEST = /<!-- openapi\.json sha256:([\da-f]{64}) -->/;
const API_LINE = /^- API\b.*\w/m;

/** An OpenAPI description, as far as a release reads it. */
export interface Description {
  readonly info: Readonly<Record<string, unknown>>;
  readonly components?: {
    readonly schemas?: { readonly Problem?: { readonly description?: string } };
  };
}

/**
 * Returns the digest of an OpenAPI description: names, types, values and error codes, without the
 * version of payrun and without texts for people.
 */
export function digestOf(description: Description): string {
  const codes = codesIn(description.components?.schemas?.Problem?.description ?? "");
  const names = { ...description, info: codes };
  return createHash("sha256").update(JSON.stringify(names, withoutTexts)).digest("hex");
}

/** Returns the error codes with their HTTP status, from the table in the schema of errors. */
const codesIn = (text: string): string[] => text.match(/^\| `\w+` \| \d{3} \|/gm) ?? [];

/** Drops texts, but not fields that are called "description" or "summary". */
const withoutTexts = (key: string, value: unknown): unknown =>
  (key === "description" || key === "summary") && typeof value === "string" ? undefined : value;

/**
 * Returns whether the API differs from that of the latest release without a line "- API…" about it
 * under Unreleased. Before the first release it always returns false.
 */
export function lacksApiLine(changelog: string, description: Description): boolean {
  const released = DIGEST.exec(changelog)?.[1];
  if (released === undefined || released === digestOf(description)) return false;
  return !API_LINE.test(unreleasedIn(changelog));
}

/**
 * Returns the changelog with the content of Unreleased as the section of a new version, and the
 * digest of its API.
 *
 * @param date the day of the release, such as 2026-11-25.
 * @throws Error if the version is not higher than the latest, or if Unreleased is empty.
 */
export function withRelease(
  changelog: string,
  version: string,
  date: string,
  description: Description,
): string {
  const latest = [...changelog.matchAll(SECTION)][0]?.[1];
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version like 1.0.0`);
  if (latest !== undefined && !isHigher(version, latest)) {
    throw new Error(`${version} is not higher than ${latest}, the latest version in CHANGELOG.md`);
  }
  if (unreleasedIn(changelog) === "") throw new Error("CHANGELOG.md has nothing under Unreleased");
  if (lacksApiLine(changelog, description)) {
    throw new Error('the API has changed: CHANGELOG.md needs a line "- API: …" under Unreleased');
  }
  const heading = `## [${version}] - ${date}`;
  const digest = `<!-- openapi.json sha256:${digestOf(description)} -->`;
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n${heading}\n\n${digest}`);
}

/** Returns the text below the heading Unreleased, up to the latest release. */
export function unreleasedIn(changelog: string): string {
  const [, rest] = changelog.split(`${UNRELEASED}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no heading ${UNRELEASED}`);
  return (rest.split(/^## /m, 1)[0] ?? "").trim();
}

function isHigher(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split(".").map(Number));
  const at = [0, 1, 2].find((place) => a?.[place] !== b?.[place]);
  return at !== undefined && (a?.[at] ?? 0) > (b?.[at] ?? 0);
}
