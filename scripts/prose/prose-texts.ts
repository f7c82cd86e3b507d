/** Extracts the texts that people read from source files and pages, with the line of every word. */
import { type ESTree, parseSync, Visitor } from "vite";

export const KINDS = ["comment", "string", "jsx", "markdown", "sql"] as const;

/** A comment, text or paragraph in one line, so that a rule can look across line breaks. */
export interface Passage {
  readonly path: string;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  /** Returns the line of the file, from 1, for a position in the text. */
  readonly lineAt: (position: number) => number;
}

/** Replaces names by a letter and keeps the line breaks. */
const blank = (found: string): string => `X${"\n".repeat(found.split("\n").length - 1)}`;

/** Replaces code, addresses, file names, identifiers and tags: they are names, not sentences. */
const withoutNames = (text: string): string =>
  text
    .replace(/(`+)(?:(?!\1)[^])+\1/g, blank)
    .replace(/\b[a-z]+:\/\/[^\s)>"']+/g, "X")
    .replace(/\[[\w./-]+\/[\w./-]+\]\(/g, "[X](")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/[\w./*-]+\.(?:tsx?|md|sql|json|css|csv|svg|log|m?js|html|xlsx)\b/g, "X")
    .replace(/\b(?:[A-Za-z]\w*_\w*|[a-z]+[A-Z]\w*)\b/g, "X")
    .replace(/<\/?[a-z][^<>]*>/g, (tag) => blank(tag).replace("X", ""));

/** Makes one passage of these lines of a file; null if no two words follow each other. */
function passageOf(
  path: string,
  kind: Passage["kind"],
  firstLine: number,
  raw: string,
): Passage | null {
  const starts: number[] = [];
  let text = "";
  for (const line of withoutNames(raw).split("\n")) {
    const words = line.trim();
    if (text !== "" && words !== "") text += " ";
    starts.push(text.length);
    text += words;
  }
  if (!/[A-Za-z]\S* +\S*[A-Za-z]/.test(text)) return null;
  const lineAt = (position: number) =>
    firstLine + starts.findLastIndex((start) => start <= position);
  return { path, kind, text, lineAt };
}

/** The line, from 1, of every position of a file. */
function linesOf(source: string): (position: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (position) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Splits lines where a new sentence starts: at an empty line, a list item, a heading or a tag. */
function paragraphs(lines: readonly string[]): { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  let open = false;
  for (const [at, line] of lines.entries()) {
    const last = found.at(-1);
    if (line.trim() === "") open = false;
    else if (open && last && !/^\s*(?:[-*+] |\d+\. |#|@[a-z]|>|\|)/.test(line))
      last.text += `\n${line}`;
    else {
      found.push({ at, text: line });
      open = !/^\s*#/.test(line);
    }
  }
  return found;
}

/** Statements of SQL in plain strings. */
const SQL =
  /^\s*(?:(?:insert into|delete from|create (?:table|function|role|unique|index)|alter|update \S+\s+set|grant|revoke|truncate|copy|explain|vacuum)\b|(?:select|with)\b[^.]*\b(?:from|as)\b)/;

/** Comments, text literals and JSX text of a TypeScript file. */
export function passagesOfCode(path: string, source: string): Passage[] {
  const { program, comments } = parseSync(path, source);
  const lineAt = linesOf(source);
  const found: (Passage | null)[] = [];
  const add = (kind: Passage["kind"], start: number, raw: string) => {
    found.push(passageOf(path, kind, lineAt(start), raw));
  };

  let group: { start: number; end: number; lines: string[] } | undefined;
  const closeGroup = () => {
    const { start, lines } = group ?? { start: 0, lines: [] };
    for (const { at, text } of paragraphs(lines))
      found.push(passageOf(path, "comment", lineAt(start) + at, text));
    group = undefined;
  };
  for (const { type, value, start, end } of comments) {
    const follows = group && /^\n[ \t]*$/.test(source.slice(group.end, start));
    if (type === "Line" && group && follows) {
      group = { start: group.start, end, lines: [...group.lines, value] };
      continue;
    }
    closeGroup();
    group = { start, end, lines: value.split("\n").map((line) => line.replace(/^\s*\*+ ?/, "")) };
    if (type === "Block") closeGroup();
  }
  closeGroup();

  const code = new Set<number>();
  const escapes = (raw: string) => raw.replace(/\\[nrt]/g, "  ").replace(/\\(["'`])/g, "$1");
  const addText = (start: number, raw: string) => {
    if (/ /.test(raw) && !SQL.test(raw)) add("string", start, escapes(raw));
  };
  new Visitor({
    ImportDeclaration(declaration: ESTree.ImportDeclaration) {
      code.add(declaration.source.start);
    },
    JSXAttribute({ name, value }: ESTree.JSXAttribute) {
      if (name.type === "JSXIdentifier" && name.name === "className" && value)
        code.add(value.start);
    },
    TaggedTemplateExpression({ tag, quasi }: ESTree.TaggedTemplateExpression) {
      if (/^sql\b/.test(source.slice(tag.start, tag.end))) code.add(quasi.start);
    },
    Literal({ start, end, ...literal }) {
      if (typeof literal.value === "string" && !code.has(start))
        addText(start, source.slice(start + 1, end - 1));
    },
    TemplateLiteral({ start, end, quasis }: ESTree.TemplateLiteral) {
      if (code.has(start)) return;
      let raw = "";
      let last = start;
      for (const quasi of quasis) {
        if (last > start) raw += blank(source.slice(last, quasi.start));
        raw += quasi.value.raw;
        last = quasi.end;
      }
      if (last <= end) addText(start, raw);
    },
    JSXText({ start, raw }: ESTree.JSXText) {
      add("jsx", start, raw ?? "");
    },
  }).visit(program);
  return found.filter((passage) => passage !== null);
}

/** Paragraphs, headings, list items and table cells of a page, without code. */
export function passagesOfPage(path: string, source: string): Passage[] {
  const withoutFences = source.replace(/^( *)(```|~~~)[^]*?^\1\2/gm, (fence) =>
    "\n".repeat(fence.split("\n").length - 1),
  );
  const found = paragraphs(withoutFences.split("\n")).flatMap(({ at, text }) =>
    (/^\s*\|/.test(text) ? text.replace(/(`+)(?:(?!\1).)+\1/g, "X").split("|") : [text]).map(
      (cell) => passageOf(path, "markdown", at + 1, cell),
    ),
  );
  return found.filter((passage) => passage !== null);
}

/** Comments of a migration. */
export function passagesOfMigration(path: string, source: string): Passage[] {
  const lines = source.split("\n").map((line) => /--\s?(.*)/.exec(line)?.[1] ?? "");
  const found = paragraphs(lines).map(({ at, text }) => passageOf(path, "sql", at + 1, text));
  return found.filter((passage) => passage !== null);
}

/** Comments of a style sheet. */
export function passagesOfStyles(path: string, source: string): Passage[] {
  const lineAt = linesOf(source);
  const found = [...source.matchAll(/\/\*([^]*?)\*\//g)].map(({ index, 1: text = "" }) =>
    passageOf(path, "comment", lineAt(index), text.replace(/^\s*\*+ ?/gm, "")),
  );
  return found.filter((passage) => passage !== null);
}
