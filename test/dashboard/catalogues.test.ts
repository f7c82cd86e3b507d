/**
 * Every text of the dashboard is in a catalogue (a `messages` file), so that it can be reviewed and
 * translated.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { type ESTree, parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";

import { ROOT } from "../support/servers/payrun.ts";

const SOURCE = join(ROOT, "dashboard/src");
const CATALOGUE = /(?:^|\/|-)messages\.tsx?$/;

/** Attributes and properties whose values people read, even when it is one lowercase word. */
const TEXT_NAMES = new Set(
  (
    "alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext caption " +
    "description detail does empty error header heading hint label legend look message none " +
    "placeholder question says sentence summary text title warning why word"
  ).split(" "),
);

/** Attributes that are texts of a component. As a property, the same name is a value of the API. */
const TEXT_ATTRIBUTES = TEXT_NAMES.union(new Set(["verb"]));

/** Literals that look like texts and are none. */
const NO_TEXTS: Readonly<Record<string, RegExp>> = {
  "a page component, named for the router": /^[A-Z]\w+Page$/,
  "a key of the keyboard": /^(?:Escape|Enter|Backspace|[a-z], [a-z]|g …)$/,
  "a part of a user agent, and the names of browsers and systems":
    /^(?:Edge?|Firefox|Chrome|Safari|Android|Windows|Mac|Linux)$/,
  "the name of a time zone": /^(?:Asia\/\w+|Europe\/\w+|Etc\/)$/,
  "a part of an example in the API documentation": /^(?:--\w|await )/,
  "a selector": /^(?:h1, h2, h3|input, textarea, select(?:, dialog, \[role=dialog\])?)$/,
  "a media query": /^screen(?: and \((?:min|max)-width: [\d.]+em\))+$/,
  "a key of the session storage": /^before …$/,
  "the name of a class": /^(?:ApiProblem|NoAnswer)$/,
};

/** A capitalised word, or two words. */
const LIKE_TEXT = /^\p{Lu}\p{Ll}|\p{L}[,.:;!?]? \p{L}|… \p{L}|\p{L} …/u;
const LETTER = /\p{L}/u;

interface Found {
  readonly line: number;
  readonly text: string;
}

/** Returns the texts that are written in this source instead of a catalogue. */
function textsIn(path: string, source: string, onException = (_reason: string) => {}): Found[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found = new Map<number, string>();
  const technical = new Set<object>();
  const add = (start: number, text: string) => found.set(start, text.trim());

  /** The literals that an expression can evaluate to. */
  function literalsIn(node: ESTree.Node | null | undefined): void {
    if (node?.type === "Literal") {
      if (typeof node.value === "string" && LETTER.test(node.value)) add(node.start, node.value);
    } else if (node?.type === "TemplateLiteral") {
      if (node.quasis.some(({ value }) => LETTER.test(value.raw))) add(node.start, wordsOf(node));
    } else if (node?.type === "ConditionalExpression") {
      literalsIn(node.consequent);
      literalsIn(node.alternate);
    } else if (
      node?.type === "LogicalExpression" ||
      (node?.type === "BinaryExpression" && node.operator === "+")
    ) {
      literalsIn(node.left);
      literalsIn(node.right);
    } else if (node?.type === "JSXExpressionContainer") {
      literalsIn(node.expression);
    }
  }
  const addLikeText = (node: ESTree.Node, text: string) => {
    if (!LIKE_TEXT.test(text) || technical.has(node)) return;
    const reason = Object.entries(NO_TEXTS).find(([, no]) => no.test(text))?.[0];
    if (reason === undefined) add(node.start, text);
    else onException(reason);
  };

  new Visitor({
    JSXText: ({ value, start }) => void (LETTER.test(value) && add(start, value)),
    JSXElement: ({ children }) => children.forEach(literalsIn),
    JSXFragment: ({ children }) => children.forEach(literalsIn),
    JSXAttribute: ({ name, value }) => {
      const attribute = name.type === "JSXIdentifier" ? name.name : name.name.name;
      if (TEXT_ATTRIBUTES.has(attribute)) return literalsIn(value);
      if (attribute === "className" && value) {
        technical.add(value.type === "JSXExpressionContainer" ? value.expression : value);
      }
    },
    Property: ({ key, value }) => {
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : "";
      if (TEXT_NAMES.has(String(name))) literalsIn(value);
    },
    // Messages of thrown errors are for developers.
    ThrowStatement: ({ argument }) => {
      if (argument.type === "NewExpression")
        for (const each of argument.arguments) technical.add(each);
    },
    Literal: (node) => void (typeof node.value === "string" && addLikeText(node, node.value)),
    TemplateLiteral: (node) => addLikeText(node, wordsOf(node)),
  }).visit(program);
  const lineAt = (start: number) => source.slice(0, start).split("\n").length;
  return [...found].map(([start, text]) => ({ line: lineAt(start), text }));
}

const wordsOf = ({ quasis }: ESTree.TemplateLiteral): string =>
  quasis.map(({ value }) => value.raw).join("…");

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.tsx?$/.test(path),
);

test("every text of the dashboard is in a catalogue", () => {
  const components = files.filter((path) => !CATALOGUE.test(path));
  expect(components.length).toBeGreaterThan(150);
  const exceptions = new Set<string>();
  const found = components.flatMap((path) =>
    textsIn(path, readFileSync(join(SOURCE, path), "utf8"), (reason) => exceptions.add(reason)).map(
      ({ line, text }) => `${path}:${line} ${text}`,
    ),
  );
  expect(found).toEqual([]);
  expect(Object.keys(NO_TEXTS).filter((reason) => !exceptions.has(reason))).toEqual([]);
});

test("every folder has a catalogue", () => {
  const folders = readdirSync(join(SOURCE, "pages"));
  const catalogues = files.filter((path) => CATALOGUE.test(path));
  expect(folders.length).toBeGreaterThan(7);
  expect(
    folders.filter((folder) => !catalogues.some((path) => path.startsWith(`pages/${folder}/`))),
  ).toEqual([]);
});

describe("finds a text outside a catalogue", () => {
  test.each([
    ["as the content of an element", "<p>Settled</p>", "Settled"],
    ["in a condition", "<p>{isPaid ? texts.yes : 'no'}</p>", "no"],
    ["in an attribute", "<Button aria-label='close' />", "close"],
    ["in an attribute of a component", "<ActionForm verb='save' />", "save"],
    ["in a template", "<p>{`${count} rows`}</p>", "… rows"],
    ["in a notification", "show({ message: 'saved' })", "saved"],
    ["in a variable", "const title = 'Not found'", "Not found"],
    ["in a function", "const textOf = (count) => `${count} rows`", "… rows"],
  ])("%s", (_place, source, text) => {
    expect(textsIn("a.tsx", source).map((each) => each.text)).toEqual([text]);
  });

  test("accepts technical values", () => {
    const source = `
      import { Text } from "@mantine/core";
      const open = () => call("GET /api/batches/:id");
      const Line = () => <p className="tabular good" role="status">{texts.paid} · {count}</p>;`;
    expect(textsIn("a.tsx", source)).toEqual([]);
  });
});
