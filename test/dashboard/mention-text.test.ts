/** The text of a comment: mentions that are shown, and the one that is being typed. */
import { expect, test } from "vitest";
import {
  openMentionAt,
  partsOf,
  withMention,
} from "../../dashboard/src/components/comments/mention-text.ts";

test("splits a comment at its mentions", () => {
  expect(partsOf("@Chen Wei, see (x)", ["Chen", "Chen Wei"])).toEqual([
    { text: "@Chen Wei", isMention: true },
    { text: ", see (x)", isMention: false },
  ]);
  expect(partsOf("a+b", ["a+"])).toEqual([{ text: "a+b", isMention: false }]);
});

test.each([
  ["ask @Ch", 7, { start: 4, typed: "Ch" }],
  ["@Chen W", 7, { start: 0, typed: "Chen W" }],
  ["@", 1, { start: 0, typed: "" }],
  ["mail@Ch", 7, null],
  ["@Chen, yes", 10, null],
  ["none", 4, null],
])("finds the mention at the cursor of %j", (text, cursor, mention) => {
  expect(openMentionAt(text, cursor)).toEqual(mention);
});

test("inserts the chosen name and puts the cursor behind it", () => {
  const mention = { start: 4, typed: "Ch" };
  expect(withMention("ask @Ch now", mention, "Chen Wei")).toEqual({
    text: "ask @Chen Wei now",
    cursor: 14,
  });
});
