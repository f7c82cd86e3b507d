import { describe, expect, test } from "vitest";
import { countLines, lastBoundary, readRecords } from "#intake/text/records.ts";

/** Every text of up to five of these characters. */
function textsOf(signs: readonly string[]): readonly string[] {
  const texts = [""];
  for (const text of texts) if (text.length < 5) texts.push(...signs.map((sign) => text + sign));
  return texts;
}
const BREAKS = textsOf(["a", "\r", "\n"]);

test("counts line breaks as people see them", () => {
  expect(BREAKS).toHaveLength(1 + 3 + 9 + 27 + 81 + 243);
  for (const text of BREAKS)
    expect([text, countLines(Buffer.from(text))]).toEqual([
      text,
      (text.match(/\r\n|\r|\n/g) ?? []).length,
    ]);
});

describe("end of the last complete record in a block", () => {
  /** After the last complete line break: a CR at the very end may be the first half of a CRLF. */
  const endOf = (text: string) => /^[^]*(?:\n|\r(?!\n|$))/.exec(text)?.[0].length ?? 0;

  test("is after the last line break", () => {
    for (const text of BREAKS)
      expect([text, lastBoundary(Buffer.from(text))]).toEqual([
        text,
        { end: endOf(text), openQuote: -1 },
      ]);
  });

  test("is after the last line break outside quotes, and reports an open quote", () => {
    for (const text of textsOf(["a", '"', "\r", "\n"]).filter((each) => each.includes('"'))) {
      const hidden = text.replaceAll(/"[^"]*(?:"|$)/g, (quoted) => "x".repeat(quoted.length));
      const isOpen = text.split('"').length % 2 === 0;
      expect([text, lastBoundary(Buffer.from(text))]).toEqual([
        text,
        { end: endOf(hidden), openQuote: isOpen ? text.lastIndexOf('"') : -1 },
      ]);
    }
  });
});

describe("records of a chunk", () => {
  const read = (text: string, delimiter: "," | ";" | "\t" = ",", max = 1_000) =>
    readRecords(Buffer.from(text), delimiter, 5, max);
  const linesOf = (text: string) => {
    const chunk = read(text);
    if (!chunk.ok) throw new Error(chunk.error.message);
    return [chunk.value.records.map(({ line }) => line), chunk.value.nextLine];
  };

  test.each(["\n", "\r\n", "\r"])("end with %j and keep their lines", (end) => {
    const text = ["a,b", "", " , ", '"c\n""d""",e', "f,g,h", '"",', '"i\r\nj","k\rl"', "m", ""];
    expect(read(text.join(end))).toEqual({
      ok: true,
      value: {
        nextLine: 16,
        records: [
          { cells: ["a", "b"], line: 5 },
          { cells: ['c\n"d"', "e"], line: 8 },
          { cells: ["f", "g", "h"], line: 10 },
          { cells: ["i\r\nj", "k\rl"], line: 12 },
          { cells: ["m"], line: 15 },
        ],
      },
    });
    expect(linesOf(["a", "", "b", "c"].join(end))).toEqual([[5, 7, 8], 9]);
  });

  test.each([",", ";", "\t"] as const)("are separated by %j", (delimiter) => {
    expect(read(`a${delimiter}"b${delimiter}c"\n`, delimiter)).toMatchObject({
      value: { records: [{ cells: ["a", `b${delimiter}c`] }] },
    });
  });

  test("report the starting line of a record that the reader refuses", () => {
    const start = 'a,"b\nc"\n\n';
    expect(read(`${start}d,"e\nf`)).toMatchObject({ error: { code: "quote_unbalanced", line: 8 } });
    expect(read(`${start}d,"e"f`)).toMatchObject({ error: { code: "quote_unbalanced", line: 8 } });
    expect(read(`${start}d,e"f`)).toMatchObject({ error: { code: "quote_inside_cell", line: 8 } });
    expect(read(`${start}${"x".repeat(30)}\n`, ",", 20)).toMatchObject({
      error: { code: "record_too_large", line: 8, expected: "rows of at most 20 bytes" },
    });
    expect(read(`${start}${"x".repeat(20)}\n`, ",", 20)).toMatchObject({ ok: true });
  });
});
