import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../dashboard/src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:css|tsx?)$/.test(path))
  .map((path) => [path, readFileSync(join(source, path), "utf8")] as const);
const tokens = readFileSync(join(source, "base/tokens.css"), "utf8");

const THEMES = ["light", "dark"] as const;
const STATES = [
  "draft",
  "awaiting",
  "progress",
  "settled",
  "declined",
  "doubt",
  "hold",
  "cancelled",
  "returned",
];

const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("defines every custom property and tone that the dashboard uses", () => {
  const defined = new Set(files.flatMap(([, text]) => allOf(text, /["'{;\s](--[\w-]+)["']?\]?:/g)));
  const missing = files.flatMap(([path, text]) => [
    ...allOf(text, /var\((--[\w-]+)\)/g)
      .filter((name) => !/^--(?:mantine|app-shell)-/.test(name) && !defined.has(name))
      .map((name) => `${path}: ${name}`),
    ...allOf(text, /\bdata-tone="(\w+)"/g)
      .filter((tone) => path.endsWith(".tsx") && !STATES.includes(tone))
      .map((tone) => `${path}: tone ${tone}`),
  ]);
  expect(missing).toEqual([]);
});

/** Both colours of a token: `light-dark(#ffffff, #13171e)`. */
function colourOf(name: string, theme: (typeof THEMES)[number]): readonly number[] {
  const [, light = "", dark = ""] =
    new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(tokens) ?? [];
  const hex = theme === "light" ? light : dark;
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminanceOf(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const SURFACES = ["canvas", "surface", "raised", "subtle"];

test.each(THEMES)(
  "gives text a contrast of at least 4.5, and bars and charts at least 3, in the %s theme",
  (theme) => {
    const between = (one: string, other: string) =>
      contrast(colourOf(one, theme), colourOf(other, theme));
    const texts = ["text", "text-2", "text-3", "accent", ...STATES.map((state) => `${state}-fg`)];
    const low = [
      ...texts.flatMap((text) => SURFACES.map((surface) => [text, surface, 4.5] as const)),
      ...STATES.map((state) => [`${state}-fg`, `${state}-bg`, 4.5] as const),
      ...STATES.map((state) => [`${state}-fill`, "surface", 3] as const),
      ["accent", "accent-soft", 4.5] as const,
    ].filter(([one, other, least]) => !(between(one, other) >= least));
    expect(low).toEqual([]);
  },
);
