import { parseAst } from "vitest/node";

/** A test, law or row of a fault table whose title names the faults or sentences it covers. */
export interface Title {
  readonly faults: readonly string[];
  /** Without the numbers, with the titles of its describe blocks. */
  readonly text: string;
}

/** Calls whose first argument is a title. */
const CALLS = new Set(["describe", "test", "it", "law"]);
/** Modifiers that repeat a test. Other modifiers (skip, todo) prove nothing. */
const MANNERS = new Set(["each", "for", "concurrent"]);

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Reads the titles of one file that name faults: of tests with their describe blocks, of the rows
 * that a test is repeated for, and of table entries that say which faults they cover (`covers:
 * "F15"`).
 */
export function titlesOf(source: string, numbered: RegExp = /\bF\d+\b/g): Title[] {
  const titles: Title[] = [];
  visit(parseAst(source, { lang: "ts" }) as unknown as Node, [], { titles, numbered });
  return titles;
}

interface Found {
  readonly titles: Title[];
  readonly numbered: RegExp;
}

function visit(node: Node, around: readonly string[], found: Found): void {
  const title = titleOf(node);
  const within = title === null ? around : [...around, title.said];
  if (title) add(title.said, around, found);
  for (const row of title?.rows ?? []) add(row, within, found);
  if (node.type === "ObjectExpression") addEntry(node, within, found);
  for (const child of childrenOf(node)) visit(child, within, found);
}

function add(said: string, around: readonly string[], found: Found): void {
  // With "F34 to F53" a reader cannot tell whether each fault was considered.
  if (/\bF\d+ ?(?:to|-|–) ?F\d+/.test(said)) throw new Error(`name each fault: ${said}`);
  const faults = [...new Set([...said.matchAll(found.numbered)].map(([number]) => number))];
  if (faults.length > 0) {
    found.titles.push({ faults, text: [...around, said].map(plain).join(": ") });
  }
}

/**
 * "F16 old jobs (I1)" and "old jobs (F16, I1)" both become "old jobs". Placeholders are left open.
 */
const plain = (said: string): string =>
  said
    .replaceAll(/\((?:(?:[FI]|SPEC-[A-Z])\d+(?:, )?)+\)/g, "")
    .replaceAll(/\b(?:[FI]|SPEC-[A-Z])\d+\b/g, "")
    .replaceAll(/%[a-z]|\$\w+/g, "…")
    .replaceAll(/\s+/g, " ")
    .trim();

/** `test("title", …)`, `describe.each(rows)("title", …)`: the title, and the texts in its rows. */
function titleOf(node: Node): { said: string; rows: readonly string[] } | null {
  if (node.type !== "CallExpression") return null;
  const [first] = node["arguments"] as readonly Node[];
  const said = first && textOf(first);
  const named = said === null ? null : callOf(node["callee"] as Node);
  return typeof said === "string" && named ? { said, rows: named } : null;
}

/** The rows that a test is repeated for, empty when it is not repeated. Null: not a test. */
function callOf(callee: Node): readonly string[] | null {
  if (callee.type === "Identifier") return CALLS.has(callee["name"] as string) ? [] : null;
  if (callee.type === "CallExpression") {
    const rows = callOf(callee["callee"] as Node);
    return rows && [...rows, ...(callee["arguments"] as readonly Node[]).flatMap(textsIn)];
  }
  if (callee.type !== "MemberExpression") return null;
  const manner = (callee["property"] as Node)["name"] as string;
  return MANNERS.has(manner) ? callOf(callee["object"] as Node) : null;
}

/** An entry such as `{ fault: "http_500", covers: "F39" }`, titled by its other texts. */
function addEntry(node: Node, around: readonly string[], found: Found): void {
  const words = (node["properties"] as readonly Node[]).flatMap((property) => {
    const name = (property["key"] as Node | undefined)?.["name"] as string | undefined;
    const text = property["value"] ? textOf(property["value"] as Node) : null;
    return name && text !== null ? [{ name, text }] : [];
  });
  const covers = words.find(({ name }) => name === "covers");
  if (!covers) return;
  const told = words.filter((word) => word !== covers).map(({ text }) => text);
  add(`${covers.text} ${told.join(", ")}`, around, found);
}

/** A string as written in the file, without the placeholders of a template. */
function textOf(node: Node): string | null {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return null;
  const parts = node["quasis"] as readonly { value: { cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join("…");
}

const textsIn = (node: Node): string[] => {
  const text = textOf(node);
  return text === null ? childrenOf(node).flatMap(textsIn) : [text];
};

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === "object" && part !== null && "type" in part);
