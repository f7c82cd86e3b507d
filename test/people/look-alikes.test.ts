import { describe, expect, test } from "vitest";
import { lookAlikesAmong, looksAlike } from "#people/look-alikes.ts";

describe("look-alike texts", () => {
  test.each([
    ["a Cyrillic А", "Anna", "\u0410nna"],
    ["Greek letters", "Nora", "\u039d\u03bfra"],
    ["another case", "Anna Schmidt", "ANNA SCHMIDT"],
    ["a Cyrillic letter in the other case", "ANNA", "\u0430nna"],
    ["full-width letters", "Anna", "\uff21\uff4e\uff4e\uff41"],
    ["a no-break space", "Anna Schmidt", "Anna\u00a0Schmidt"],
    ["two spaces", "Anna Schmidt", "Anna  Schmidt"],
    ["an invisible character", "Anna", "An\u200bna"],
    ["a composed and a decomposed letter", "Zoé", "Zoe\u0301"],
    ["rn and m", "anna@exarnple.com", "anna@example.com"],
    ["I and l", "Iris", "lris"],
    ["0 and O", "R0BERT", "ROBERT"],
  ])("with %s", (_what, one, other) => {
    expect(looksAlike(one, other)).toBe(true);
  });

  test.each([
    ["Anna", "Anne"],
    ["Ali", "All"],
    ["Zoe", "Zoé"],
    ["person-1@example.test", "person-2@example.test"],
    ["Анна Иванова", "Анна Петрова"],
  ])("do not include %s and %s", (one, other) => {
    expect(looksAlike(one, other)).toBe(false);
  });
});

test("names each pair of people once", () => {
  const [ada, bob] = [
    { name: "Ada", email: "ada@example.test" },
    { name: "Bob", email: "bob@example.test" },
  ];
  const fake = { name: "\u0410da", email: "\u0430da@example.test" };
  expect(lookAlikesAmong([ada, bob, fake])).toEqual([[ada, fake]]);
  expect(lookAlikesAmong([ada, bob])).toEqual([]);
});
