import { describe, expect, test } from "vitest";
import { characterOf, contentOf, piecesOf, tagsOf } from "#intake/workbook/xml-tags.ts";

const sheets = (part: string) => [...tagsOf(part, "sheet")].map((tag) => Object.fromEntries(tag));

describe("tags", () => {
  test.each([
    ["none", "<sheets/><sheetId a='1'/>", []],
    ["one, self-closed or not", '<sheet a="1"/><sheet a="2"></sheet>', [{ a: "1" }, { a: "2" }]],
    ["no attributes", "<sheet/><sheet >", [{}, {}]],
    ["prefixes", '<x:sheet r:id="1"/>', [{ id: "1" }]],
    ["single quotes, blanks and line ends", "<sheet a = '\"'\n\tb='2' />", [{ a: '"', b: "2" }]],
    ["a bracket in a value", '<sheet a="[>9]"/>', [{ a: "[>9]" }]],
    [
      "references",
      '<sheet a="&quot;&amp;&lt;&gt;&apos;&#65;&#x42;&#134071;"/>',
      [{ a: "\"&<>'AB𠮷" }],
    ],
    ["an unknown reference", '<sheet a="&nbsp;"/>', [{ a: "&nbsp;" }]],
    ["a reference within another", '<sheet a="&amp;lt;"/>', [{ a: "&lt;" }]],
  ])("%s", (_, part, attributes) => {
    expect(sheets(part)).toEqual(attributes);
  });

  test.each([
    ["a value without quotes", "<sheet a=1/>", "tag is not valid XML"],
    ["an opening bracket in a value", '<sheet a="<"/>', "tag is not valid XML"],
    ["no end", '<sheet a="1"', "tag is not valid XML"],
    ["an attribute twice", '<sheet id="1" r:id="2"/>', "the attribute id occurs twice"],
    ["a reference to an invalid character", '<sheet a="&#x110000;"/>', "Invalid code point"],
  ])("does not skip %s", (_, part, why) => {
    expect(() => sheets(part)).toThrow(why);
  });
});

test.each([
  ["<a>1</a>", "1"],
  ["<x:a count='2'>\n<b/></x:a >", "\n<b/>"],
  ["<a>1</a><a>2</a>", "1"],
  ["<aa>1</aa><a>2</a>", "2"],
  ["<a>", ""],
  ["<a/>", ""],
  ["", ""],
])("finds, in a of %j, %j", (part, inside) => {
  expect(contentOf(part, "a")).toBe(inside);
});

test.each([
  ["65", "A"],
  ["x41", "A"],
  ["X41", "A"],
  ["134071", "𠮷"],
])("decodes the character %s as %s", (code, character) => {
  expect(characterOf(code)).toBe(character);
});

test("splits a part at each tag of a name", () => {
  expect(piecesOf('0<a b="1">2</a><x:a/><aa>3<a>', "a")).toEqual([' b="1">2</a>', "/><aa>3", ">"]);
  expect(piecesOf("<b/>", "a")).toEqual([]);
});
