import { expect, test } from "vitest";
import { commentText } from "#cli/comment/comment.ts";

const COMMENT = {
  id: "CM1",
  at: "2026-11-26T15:02:00.000Z",
  by: { actor: "user:US1", name: "Chen Wei" },
  text: "Line 14 is right.\nSee the invoice.",
  is_erased: false,
  mentions: [],
  reply_to: null,
  is_new: false,
};

test("prints a comment with its author, time and lines", () => {
  expect(commentText(COMMENT).split("\n")).toEqual([
    "CM1  2026-11-26T15:02:00.000Z  Chen Wei",
    "  Line 14 is right.",
    "  See the invoice.",
  ]);
  expect(commentText({ ...COMMENT, reply_to: "CM0" })).toContain("Chen Wei, in reply to CM0");
});

test("escapes characters with which a comment could imitate other output", () => {
  const forged = { ...COMMENT, by: { ...COMMENT.by, name: "A\u202eB" }, text: "a\u001b[2Jb" };
  expect(commentText(forged).split("\n")).toEqual([
    "CM1  2026-11-26T15:02:00.000Z  A\\u{202e}B",
    "  a\\u{1b}[2Jb",
  ]);
});
