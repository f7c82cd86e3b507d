import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openApiText, PATH } from "../../scripts/openapi.ts";
import {
  type Description,
  digestOf,
  lacksApiLine,
  unreleasedIn,
  withRelease,
} from "../../scripts/release/changelog.ts";

const DAY = "2026-11-25";
const API = { info: { title: "payrun", version: "0.1.0" }, paths: { "/a": {} } };
const CHANGED = { ...API, paths: { "/b": {} } };
const NEW = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing\n";
const FIRST = withRelease(NEW, "1.0.0", DAY, API);

/** The changelog of version 1.0.0 with this text under Unreleased. */
const after = (text: string): string =>
  FIRST.replace("## [Unreleased]\n", `## [Unreleased]\n\n${text}\n`);

describe("this repository", () => {
  test("counts error codes as part of the API", () => {
    const description = JSON.parse(openApiText()) as Description;
    const { Problem, ...others } = description.components?.schemas ?? {};
    const untold = { ...others, Problem: { ...Problem, description: "" } };
    const withoutCodes = {
      ...description,
      components: { ...description.components, schemas: untold },
    };
    expect(digestOf(withoutCodes)).not.toBe(digestOf(description));
  });

  const changelog = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");

  test("has the current openapi.json; npm run openapi updates it", () => {
    const isCurrent = readFileSync(PATH, "utf8") === openApiText();
    expect(isCurrent).toBe(true);
  });

  test("has a line in CHANGELOG.md, under Unreleased, for a changed API", () => {
    expect(lacksApiLine(changelog, JSON.parse(openApiText()) as Description)).toBe(false);
  });

  test("has a heading for what is not released", () => {
    expect(unreleasedIn(changelog)).toBeTypeOf("string");
  });
});

describe("a change of the API", () => {
  test.each([
    ["without a line", after("### Added\n\n- Another thing"), true],
    [
      "with a line of the earlier release only",
      after("").replace("- A thing", "- API: a thing"),
      true,
    ],
    ["with an empty line about it", after("### Changed\n\n- API:"), true],
    ["with its line", after("### Changed\n\n- API: `/a` is now `/b`"), false],
  ])("%s", (_name, changelog, lacks) => {
    expect(lacksApiLine(changelog, CHANGED)).toBe(lacks);
  });

  test("is compared with the latest release, not with the first", () => {
    const second = withRelease(after("- API: `/b`"), "1.1.0", DAY, CHANGED);
    expect(lacksApiLine(second, CHANGED)).toBe(false);
    expect(lacksApiLine(second, API)).toBe(true);
  });

  test("does not include a new version number or text", () => {
    const field = { description: "A name" };
    const api = { ...API, paths: { "/a": { summary: "Reads", properties: { summary: field } } } };
    const released = {
      info: { title: "payrun", version: "1.0.0" },
      paths: { "/a": { summary: "Lists", properties: { summary: { description: "Its name" } } } },
    };
    expect(digestOf(released)).toBe(digestOf(api));
  });

  test("includes a removed field, even one with the name of a text", () => {
    const has = (properties: object) => {
      const description = { ...API, paths: { "/a": { properties } } };
      return digestOf(description);
    };
    expect(has({ summary: {} })).not.toBe(has({}));
    expect(has({ summary: { type: "string" } })).not.toBe(has({ summary: { type: "number" } }));
  });

  test("includes a renamed error code or another status, but not another title", () => {
    const table = (row: string) => {
      const Problem = { description: `Errors\n${row}\n` };
      return digestOf({ ...API, components: { schemas: { Problem } } });
    };
    const before = table("| `no_room` | 503 | No room |");
    expect(table("| `no_room` | 503 | The disk is full |")).toBe(before);
    expect(table("| `disk_full` | 503 | No room |")).not.toBe(before);
    expect(table("| `no_room` | 507 | No room |")).not.toBe(before);
  });

  test("needs no line before the first release", () => {
    expect(lacksApiLine(NEW, CHANGED)).toBe(false);
  });
});

describe("a release", () => {
  test("moves the content of Unreleased into its section, with the digest of the API", () => {
    expect(FIRST).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - ${DAY}\n\n<!-- openapi.json sha256:${digestOf(API)} -->\n\n### Added\n\n- A thing\n`,
    );
    expect(unreleasedIn(FIRST)).toBe("");
  });

  test.each([
    ["an empty section", FIRST, "1.0.1", /nothing under Unreleased/],
    ["the latest version again", after("- More"), "1.0.0", /not higher than 1\.0\.0/],
    ["a lower version", after("- More"), "0.9.9", /not higher than 1\.0\.0/],
    ["another word", after("- More"), "major", /not a version/],
    ["a changed API without a line", after("- More"), "1.1.0", /needs a line "- API/],
  ])("refuses %s", (_name, changelog, version, message) => {
    expect(() => withRelease(changelog, version, DAY, CHANGED)).toThrow(message);
  });

  test("compares versions as numbers", () => {
    const tenth = withRelease(after("- API: more"), "1.10.0", DAY, CHANGED);
    const more = tenth.replace("## [Unreleased]\n", "## [Unreleased]\n\n- Again\n");
    expect(() => withRelease(more, "1.9.0", DAY, CHANGED)).toThrow(/not higher than 1\.10\.0/);
  });
});
