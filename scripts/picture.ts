/**
 * Draws the output of a command as an SVG picture of a terminal, for the README. Run as: ./payrun
 * demo --once 2>&1 | node scripts/picture.ts "npm run demo" > docs/pictures/demo.svg
 */
import { stripVTControlCharacters } from "node:util";

const LINE_HEIGHT = 20;
const CHAR_WIDTH = 8.4;
const PADDING = 20;

const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/settled/, "#7ee787"],
  [/declined/, "#ffa198"],
  [/^(simulated gateway|ledger|payrun|The demo|Priya Raman|To inspect|\$)/, "#a5d6ff"],
];

const title = process.argv[2] ?? "";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const lines = [
  `$ ${title}`,
  ...stripVTControlCharacters(text)
    .split("\n")
    // A terminal shows only the last version of a line that was overwritten.
    .map((line) => line.trimEnd().split("\r").at(-1) ?? "")
    // A terminal clears the progress bar at the end; a pipe keeps each of its lines.
    .filter((line) => !/^\d+\/\d+ finished/.test(line)),
];
while (lines.at(-1) === "") lines.pop();

const escaped = (line: string): string =>
  line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const colourOf = (line: string): string =>
  COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? "#e6edf3";

const width = Math.ceil(Math.max(...lines.map(({ length }) => length)) * CHAR_WIDTH) + 2 * PADDING;
const height = lines.length * LINE_HEIGHT + 2 * PADDING;
const rows = lines.map(
  (line, index) =>
    `<text x="${PADDING}" y="${PADDING + (index + 0.75) * LINE_HEIGHT}" fill="${colourOf(line)}" xml:space="preserve">${escaped(line)}</text>`,
);
process.stdout.write(
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Output of ${escaped(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    ...rows,
    "</g>",
    "</svg>",
    "",
  ].join("\n"),
);
