/** Reads the Markdown of the API description: the few forms that it uses. */

/** A block of a Markdown text. */
export type Block =
  | { readonly kind: "heading" | "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

const HEADING = /^#+ (.*)$/;
const FENCE = /^```(\w*)$/;
const ITEM = /^\d+\. /;
/** Spaces before the further lines of an item. */
const INDENT = 3;

/** Returns the blocks of this text in their order. */
export function blocksOf(text: string): readonly Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  while (lines.length > 0) {
    const [line = ""] = lines;
    if (line.trim() === "") lines.shift();
    else blocks.push(takeBlock(line, lines));
  }
  return blocks;
}

/** Removes the lines of the first block, which begins with this line, and returns the block. */
function takeBlock(line: string, lines: string[]): Block {
  const [, heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined) {
    lines.shift();
    return { kind: "heading", text: heading };
  }
  const [fence, language = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined) {
    lines.shift();
    const code = takeWhile(lines, (each) => each !== "```");
    lines.shift();
    return { kind: "code", language, text: code.join("\n") };
  }
  if (ITEM.test(line)) return { kind: "list", items: takeItems(lines) };
  if (line.startsWith("|")) return takeTable(lines);
  const words = takeWhile(lines, (each) => each.trim() !== "" && !FENCE.test(each));
  return { kind: "paragraph", text: words.join(" ") };
}

function takeItems(lines: string[]): Block[][] {
  const items: Block[][] = [];
  while (ITEM.test(lines[0] ?? "")) {
    const first = lines.shift()?.replace(ITEM, "") ?? "";
    const more = takeWhile(lines, (each) => each.trim() === "" || each.startsWith("   "));
    items.push([...blocksOf([first, ...more.map((each) => each.slice(INDENT))].join("\n"))]);
  }
  return items;
}

function takeTable(lines: string[]): Block {
  const [head = [], , ...rows] = takeWhile(lines, (each) => each.startsWith("|")).map((each) =>
    each
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  return { kind: "table", head, rows };
}

function takeWhile(lines: string[], isPart: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !isPart(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/** A part of a line: plain, or as code or strong. */
export interface Inline {
  readonly kind: "plain" | "code" | "strong";
  readonly text: string;
}

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/;

/** Returns the parts of a paragraph or cell. */
export const inlinesOf = (text: string): readonly Inline[] =>
  text
    .split(MARKED)
    .filter((part) => part !== "")
    .map((part): Inline => {
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
      return { kind: "plain", text: part };
    });

/** Returns a line without the marks of Markdown. */
export const plainText = (text: string): string =>
  inlinesOf(text)
    .map((part) => part.text)
    .join("");
