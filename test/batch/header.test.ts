import { describe, expect, test } from "vitest";
import { COLUMNS, REQUIRED_COLUMNS } from "#batch/columns.ts";
import { type Header, readHeader } from "#batch/header.ts";
import type { Problem } from "#batch/problems.ts";

const NEEDED = REQUIRED_COLUMNS.join(",");

function headerOf(text: string, columnsMax = 200): Header {
  const header = readHeader(Buffer.from(text), columnsMax);
  if (!header.ok) throw new Error(header.error.map(({ message }) => message).join(" "));
  return header.value;
}

function problemsOf(text: string, columnsMax = 200): readonly Problem[] {
  const header = readHeader(Buffer.from(text), columnsMax);
  if (header.ok) throw new Error("taken");
  return header.error;
}

describe("the delimiter", () => {
  const head = (delimiter: string) => REQUIRED_COLUMNS.join(delimiter);

  test.each([",", ";", "\t"])("%j is found by the columns that it parts", (delimiter) => {
    expect(headerOf(head(delimiter))).toMatchObject({ delimiter, names: REQUIRED_COLUMNS });
  });

  test("is the one that finds most known columns, and of two that find as many, the one that finds more names", () => {
    expect(headerOf(`${head(";")};a,b,c,d,e,f,g`).delimiter).toBe(";");
    expect(headerOf(`a,b,c,d,e,f,g;${head(";")}`).delimiter).toBe(";");
    expect(problemsOf("a;b;c,d")[0]?.found).toBe("a, b, c,d");
    expect(problemsOf("a,b\tc\td;e")[0]?.found).toBe("a,b, c, d;e");
  });

  test.each([
    ["sep=;\n", 2],
    ["sep=;\r\n", 2],
    ["sep=;\r", 2],
    ["SEP=;\n", 2],
    ['"sep=;"\n', 2],
    ["sep=;\n\n\r\n", 4],
  ])("declared by %j is taken, and the header is line %i", (sep, line) => {
    const text = `${sep}${head(";")}\nU-1`;
    expect(headerOf(text)).toMatchObject({ delimiter: ";", nextLine: line + 1 });
    expect(text.slice(headerOf(text).end)).toBe("U-1");
  });

  test("that is declared wins over the one that finds columns", () => {
    expect(problemsOf(`sep=;\n${NEEDED}`)).toMatchObject([
      { code: "columns_missing", line: 2, found: expect.stringMatching(/^user_id,/) },
    ]);
  });

  test("that is not supported is told as it stands", () => {
    for (const sep of ["sep=|\r\n", '"sep=|"\n']) {
      expect(problemsOf(`${sep}user_id|account_name`)).toMatchObject([
        { code: "delimiter_unsupported", line: 1, found: sep.trim() },
      ]);
    }
  });

  test("that is not declared and not supported is told, and no column is called missing", () => {
    expect(problemsOf(`\n${NEEDED.replaceAll(",", "|")}`)).toMatchObject([
      { code: "delimiter_unsupported", line: 2, found: "|" },
    ]);
    expect(problemsOf("a|b,c")).toMatchObject([{ code: "columns_missing" }]);
  });

  test.each(["xsep=;", "sep=;;", "sep="])("is not declared by %j", (text) => {
    expect(problemsOf(`${text}\n`)).toMatchObject([{ code: "columns_missing", line: 1 }]);
  });
});

describe("a header that stands elsewhere", () => {
  test.each([
    ["Payout list November,,,\nPrepared by,Ravi,,\n,,,\n", 4],
    ["Payout list\r\n", 2],
    ['\n"two\nlines",\n', 4],
    ["title\n".repeat(20), 21],
  ])("under %j is told with its line", (above, position) => {
    for (const names of [NEEDED, NEEDED.replaceAll(",", ";"), NEEDED.toUpperCase()]) {
      expect(problemsOf(`${above}${names}\nU-1,INR,1,Asha\n`)).toMatchObject([
        {
          code: "header_further_down",
          message: `The header is not the first line: line ${position} looks like it.`,
          repair: `Delete the lines above line ${position}.`,
        },
      ]);
    }
  });

  test.each([
    ["too far down", `${"title\n".repeat(21)}${NEEDED}\n`],
    ["without a name that is needed", "title\nuser_id,currency_code,account_name\n"],
    ["under a line that holds a known name", `user_id,title\n${NEEDED}\n`],
  ])("is not looked for %s", (_where, text) => {
    expect(problemsOf(text)).toMatchObject([{ code: "columns_missing" }]);
  });

  test.each([
    "U-1,BDT,500.00,Rahim Uddin,01712345678,2001,BKASH,01712345678",
    "U-1;INR;1.234,56;Asha Verma;50100012345678",
    "আশা,1\t৳ 500",
  ])("is missing above %j, of which nothing is told", (row) => {
    const problems = problemsOf(`${row}\n`);
    expect(problems).toMatchObject([
      { code: "header_missing", line: 1, column: null, found: null },
    ]);
    expect(JSON.stringify(problems)).not.toMatch(/Rahim|Asha|5010|0171/);
  });

  test.each(["user,currency,amount2,name", "user_id,100", "x,-,"])(
    "is one that lacks columns where it names one, or holds no numbers: %j",
    (names) => expect(problemsOf(`${names}\n`)).toMatchObject([{ code: "columns_missing" }]),
  );

  test.each([",", ";", "\t"])(
    "in one pair of quotes, with %j between its names, is told",
    (sign) => {
      expect(problemsOf(`\n"${NEEDED.replaceAll(",", sign)}"\n"U-1"\n`)).toMatchObject([
        { code: "header_in_quotes", line: 2, found: expect.stringContaining("user_id") },
      ]);
    },
  );

  test("is no title where only the first name is quoted", () => {
    expect(headerOf(`"user_id",${NEEDED.slice("user_id,".length)}`).names).toEqual(
      REQUIRED_COLUMNS,
    );
  });
});

test.each(["", "\n", "\r\n\r", "sep=,", "sep=;\n\n"])("%j has no header", (text) => {
  expect(problemsOf(text)).toMatchObject([{ code: "file_empty" }]);
});

describe("the rows start behind", () => {
  test.each([
    ["\n", "U-1", 2],
    ["\r", "U-1", 2],
    ["\r\n", "U-1", 2],
    ["\r\n", "\nU-1", 2],
    ["", "", 1],
  ])("a header that ends in %j", (end, rest, nextLine) => {
    const header = headerOf(NEEDED + end + rest);
    expect([(NEEDED + end + rest).slice(header.end), header.nextLine]).toEqual([rest, nextLine]);
  });

  test.each(["\n", "\r", "\r\n"])("a header with %j inside of a quoted name", (lineBreak) => {
    const text = `${NEEDED},"my${lineBreak}note"\nU-1`;
    const { end, nextLine, names } = headerOf(text);
    expect([text.slice(end), nextLine, names.at(-1)]).toEqual(["U-1", 3, `my${lineBreak}note`]);
  });
});

test("quotes that make no sense with any delimiter are told with their line", () => {
  expect(problemsOf('\n"user_id\nU-1')).toMatchObject([{ code: "quote_unbalanced", line: 2 }]);
});

test("as many columns as the limit are taken, and no more", () => {
  expect(headerOf(NEEDED, 4).names).toHaveLength(4);
  expect(problemsOf(`\n${NEEDED},bank_code`, 4)).toMatchObject([
    {
      code: "columns_too_many",
      line: 2,
      message: "The header has 5 columns.",
      expected: "at most 4 columns",
    },
  ]);
});

describe("a column", () => {
  test.each(COLUMNS.map((column, place) => [column, place] as const))(
    "%s is found at its place, however it is written",
    (column, place) => {
      for (const written of [
        column.toUpperCase(),
        ` ${column.replaceAll("_", " ")} `,
        column.replaceAll("_", "- "),
        column.replaceAll("_", ""),
      ]) {
        const names = COLUMNS.map((name) => (name === column ? written : name));
        const header = headerOf(names.join(","));
        expect([header.places.get(column), header.notes]).toEqual([place, []]);
        expect(header.names[place]).toBe(written.trim());
      }
    },
  );

  test("that stands there twice is told with both places, and without a name it may", () => {
    expect(problemsOf(`${NEEDED},x,,user id`)).toMatchObject([
      {
        code: "column_twice",
        line: 1,
        column: "user id",
        message: "The header names user id twice (columns 1 and 7).",
      },
    ]);
    expect(problemsOf(`my\tnote,${NEEDED},my\tnote`)).toMatchObject([
      {
        column: "my\\u{9}note",
        message: "The header names my\\u{9}note twice (columns 1 and 6).",
      },
    ]);
    const unnamed = { code: "column_unnamed", line: 1, column: null };
    expect(headerOf(`${NEEDED},,-`).notes).toMatchObject([
      { ...unnamed, message: "Column 5 has no name and is ignored." },
      { ...unnamed, column: "-", message: "Column 6 has no name and is ignored." },
    ]);
  });

  test("that is missing is told before one that is there twice", () => {
    expect(problemsOf("bank_code,bank_code").map(({ code }) => code)).toEqual([
      "columns_missing",
      "column_twice",
    ]);
  });

  test("that is missing is told with the name that may be meant for it", () => {
    for (const name of ["Amount", "Transaction Amount (INR)", "transaction_amount in rupees"]) {
      const [missing] = problemsOf(`user_id,currency_code,${name},account_name,colour`);
      expect(missing?.repair).toContain(
        `"${name}" (perhaps transaction_amount), "colour" are not known`,
      );
    }
  });

  test("that is missing is told with what was not known", () => {
    const unknown = Array.from({ length: 11 }, (_, i) => `x${i}`);
    expect(problemsOf(["user_id", ...unknown].join(","))).toMatchObject([
      {
        message: "The header lacks currency_code, transaction_amount, account_name.",
        found: `user_id, ${unknown.join(", ")}`,
        repair: `Add the missing columns; the columns ${unknown
          .slice(0, 10)
          .map((name) => `"${name}"`)
          .join(", ")} are not known.`,
      },
    ]);
    expect(problemsOf("user_id,note\tx")[0]?.repair).toContain('the columns "note\\u{9}x" are not');
    expect(problemsOf("user_id")[0]?.repair).toBe(
      "Add the missing columns; names may differ in case, spaces and dashes.",
    );
  });

  test.each([
    ["bank_cod", "; bank_code comes nearest"],
    ["bnk_cde", "; bank_code comes nearest"],
    ["bn_cde", ""],
    ["Branch", "; branch_code comes nearest"],
    ["acount_name", ""],
    ["note", ""],
    ["reference number of our own accounting system", "; reference comes nearest"],
    ["number of our own accounting system", ""],
  ])("%s that is not known is ignored: rename it%s", (name, hint) => {
    expect(headerOf(`${NEEDED},${name}`).notes).toMatchObject([
      {
        code: "column_ignored",
        line: 1,
        column: name,
        repair: `Nothing, if that is meant; else rename it${hint}.`,
      },
    ]);
  });
});
