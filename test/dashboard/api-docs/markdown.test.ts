import { expect, test } from "vitest";

import { blocksOf, inlinesOf, plainText } from "../../../dashboard/src/pages/api-docs/markdown.ts";
import { openApi } from "#http/openapi/openapi.ts";

test("reads headings, paragraphs, code, lists and tables", () => {
  const text = [
    "## Start",
    "",
    "One line",
    "and its end.",
    "",
    "1. **First**, then",
    "   more.",
    "",
    "   ```sh",
    "   curl a",
    "     --b",
    "   ```",
    "",
    "2. Second",
    "",
    "```ts",
    "call();",
    "",
    "end();",
    "```",
    "| A | B |",
    "|---|---|",
    "| `x` | 1 |",
  ].join("\n");
  expect(blocksOf(text)).toEqual([
    { kind: "heading", text: "Start" },
    { kind: "paragraph", text: "One line and its end." },
    {
      kind: "list",
      items: [
        [
          { kind: "paragraph", text: "**First**, then more." },
          { kind: "code", language: "sh", text: "curl a\n  --b" },
        ],
        [{ kind: "paragraph", text: "Second" }],
      ],
    },
    { kind: "code", language: "ts", text: "call();\n\nend();" },
    { kind: "table", head: ["A", "B"], rows: [["`x`", "1"]] },
  ]);
});

test("reads code and strong words in a line", () => {
  expect(inlinesOf("Use `a` **now**.")).toEqual([
    { kind: "plain", text: "Use " },
    { kind: "code", text: "a" },
    { kind: "plain", text: " " },
    { kind: "strong", text: "now" },
    { kind: "plain", text: "." },
  ]);
});

test("removes the marks of a line", () => {
  expect(plainText("Use `a` **now**.")).toBe("Use a now.");
});

test("reads the whole quickstart: no mark of Markdown remains in a paragraph", () => {
  const blocks = blocksOf(openApi().info.description);
  const steps = blocks.find(({ kind }) => kind === "list");
  expect(steps?.kind === "list" ? steps.items.length : 0).toBe(4);
  const paragraphs = blocks.flatMap((block) => (block.kind === "paragraph" ? [block.text] : []));
  expect(paragraphs.filter((text) => /^(?:#|```|\||\d+\.)/.test(text))).toEqual([]);
});
