import { describe, expect, test } from "vitest";
import { COLUMNS, REQUIRED_COLUMNS } from "#intake/header/columns.ts";
import { type Header, readHeader } from "#intake/header.ts";
import type { Problem } from "#intake/text/problems.ts";

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

describe("delimiter", () => {
  const head = (delimiter: string) => REQUIRED_COLUMNS.join(delimiter);

  test.each([",", ";", "\t"])("finds %j by the columns it separates", (delimiter) => {
    expect(headerOf(head(delimiter))).toMatchObject({ delimiter, names: REQUIRED_COLUMNS });
  });

  test("chooses the delimiter that finds the most known columns, then the most names", () => {
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
  ])("uses the delimiter declared by %j and reads the header on line %i", (sep, line) => {
    const text = `${sep}${head(";")}\nU-1`;
    expect(headerOf(text)).toMatchObject({ delimiter: ";", nextLine: line + 1 });
    expect(text.slice(headerOf(text).end)).toBe("U-1");
  });

  test("prefers a declared delimiter over a detected one", () => {
    expect(problemsOf(`sep=;\n${NEEDED}`)).toMatchObject([
      { code: "columns_missing", line: 2, found: expect.stringMatching(/^user_id,/) },
    ]);
  });

  test("reports an unsupported declared delimiter as written", () => {
    for (const sep of ["sep=|\r\n", '"sep=|"\n']) {
      expect(problemsOf(`${sep}user_id|account_name`)).toMatchObject([
        { code: "delimiter_unsupported", line: 1, found: sep.trim() },
      ]);
    }
  });

  test("reports an unsupported undeclared delimiter without missing-column problems", () => {
    expect(problemsOf(`\n${NEEDED.replaceAll(",", "|")}`)).toMatchObject([
      { code: "delimiter_unsupported", line: 2, found: "|" },
    ]);
    expect(problemsOf("a|b,c")).toMatchObject([{ code: "columns_missing" }]);
  });

  test.each(["xsep=;", "sep=;;", "sep="])("ignores %j, which is not a declaration", (text) => {
    expect(problemsOf(`${text}\n`)).toMatchObject([{ code: "columns_missing", line: 1 }]);
  });
});

describe("header on a later line", () => {
  test.each([
    ["Payout list November,,,\nPrepared by,Ravi,,\n,,,\n", 4],
    ["Payout list\r\n", 2],
    ['\n"two\nlines",\n', 4],
    ["title\n".repeat(20), 21],
  ])("reports a header under %j with its line", (above, position) => {
    for (const names of [NEEDED, NEEDED.replaceAll(",", ";"), NEEDED.toUpperCase()]) {
      expect(problemsOf(`${above}${names}\nU-1,INR,1,Asha\n`)).toMatchObject([
        {
          code: "header_further_down",
          message: `The header is not on the first line. It appears to be on line ${position}.`,
          correction: `Delete the lines above line ${position}.`,
        },
      ]);
    }
  });

  test("finds a header with other names, without a currency", () => {
    const text = "Suppliers\n\nEmp No,Payee,Amount (INR),A/c No\nE-1,Asha,1,50100012345678\n";
    expect(problemsOf(text)).toMatchObject([{ code: "header_further_down", line: 1 }]);
    expect(problemsOf(text)[0]?.message).toContain("line 3");
  });

  test.each([
    ["too far down", `${"title\n".repeat(21)}${NEEDED}\n`],
    ["without a required name", "title\nuser_id,currency_code,account_name\n"],
    ["under a line that holds a known name", `user_id,title\n${NEEDED}\n`],
  ])("does not look for it %s", (_where, text) => {
    expect(problemsOf(text)).toMatchObject([{ code: "columns_missing" }]);
  });

  test.each([
    "U-1,BDT,500.00,Rahim Uddin,01712345678,2001,BKASH,01712345678",
    "U-1;INR;1.234,56;Asha Verma;50100012345678",
    "আশা,1\t৳ 500",
  ])(
    "reports missing columns when the first line is %j, without mentioning a later header",
    (row) => {
      const problems = problemsOf(`${row}\n`);
      expect(problems).toMatchObject([
        { code: "header_missing", line: 1, column: null, found: null },
      ]);
      expect(JSON.stringify(problems)).not.toMatch(/Rahim|Asha|5010|0171/);
    },
  );

  test.each(["user,currency,amount2,name", "user_id,100", "x,-,"])(
    "reports missing columns in a line that names one or holds no numbers: %j",
    (names) => expect(problemsOf(`${names}\n`)).toMatchObject([{ code: "columns_missing" }]),
  );

  test.each([",", ";", "\t"])(
    "reports a header in one pair of quotes with %j between its names",
    (sign) => {
      expect(problemsOf(`\n"${NEEDED.replaceAll(",", sign)}"\n"U-1"\n`)).toMatchObject([
        { code: "header_in_quotes", line: 2, found: expect.stringContaining("user_id") },
      ]);
    },
  );

  test("does not mistake a quoted first name for a title", () => {
    expect(headerOf(`"user_id",${NEEDED.slice("user_id,".length)}`).names).toEqual(
      REQUIRED_COLUMNS,
    );
  });
});

test.each(["", "\n", "\r\n\r", "sep=,", "sep=;\n\n"])("finds no header in %j", (text) => {
  expect(problemsOf(text)).toMatchObject([{ code: "file_empty" }]);
});

describe("start of the rows", () => {
  test.each([
    ["\n", "U-1", 2],
    ["\r", "U-1", 2],
    ["\r\n", "U-1", 2],
    ["\r\n", "\nU-1", 2],
    ["", "", 1],
  ])("follows a header that ends in %j", (end, rest, nextLine) => {
    const header = headerOf(NEEDED + end + rest);
    expect([(NEEDED + end + rest).slice(header.end), header.nextLine]).toEqual([rest, nextLine]);
  });

  test.each(["\n", "\r", "\r\n"])("follows a header with %j inside a quoted name", (lineBreak) => {
    const text = `${NEEDED},"my${lineBreak}note"\nU-1`;
    const { end, nextLine, names } = headerOf(text);
    expect([text.slice(end), nextLine, names.at(-1)]).toEqual(["U-1", 3, `my${lineBreak}note`]);
  });
});

test("reports quotes that are invalid for every delimiter with their line", () => {
  expect(problemsOf('\n"user_id\nU-1')).toMatchObject([{ code: "quote_unbalanced", line: 2 }]);
});

test("accepts columns up to the limit and no more", () => {
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

describe("columns", () => {
  test.each(COLUMNS.map((column, place) => [column, place] as const))(
    "are found at their positions, whatever the spelling: %s",
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

  test("are reported with both positions when repeated, except those without a name", () => {
    expect(problemsOf(`${NEEDED},x,,user id`)).toMatchObject([
      {
        code: "column_twice",
        line: 1,
        column: "user id",
        message: "The header contains user id twice, in columns 1 and 7.",
      },
    ]);
    expect(problemsOf(`my\tnote,${NEEDED},my\tnote`)).toMatchObject([
      {
        column: "my\\u{9}note",
        message: "The header contains my\\u{9}note twice, in columns 1 and 6.",
      },
    ]);
    const unnamed = { code: "column_unnamed", line: 1, column: null };
    expect(headerOf(`${NEEDED},,-`).notes).toMatchObject([
      { ...unnamed, message: "Column 5 has no name and was ignored." },
      { ...unnamed, column: "-", message: "Column 6 has no name and was ignored." },
    ]);
  });

  test("are reported as missing before a repeated one", () => {
    expect(problemsOf("bank_code,bank_code").map(({ code }) => code)).toEqual([
      "columns_missing",
      "column_twice",
    ]);
  });

  test("are reported as missing with the name that was probably meant", () => {
    for (const name of ["Amount", "Transaction Amount (INR)", "transaction_amount in rupees"]) {
      const [missing] = problemsOf(`user_id,currency_code,${name},account_name,colour`);
      expect(missing?.correction).toContain(
        `"${name}" (did you mean transaction_amount?), "colour".`,
      );
    }
  });

  test("are reported as missing together with the unknown ones", () => {
    const unknown = Array.from({ length: 11 }, (_, i) => `x${i}`);
    expect(problemsOf(["user_id", ...unknown].join(","))).toMatchObject([
      {
        message: "The header is missing currency_code, transaction_amount, account_name.",
        found: `user_id, ${unknown.join(", ")}`,
        correction: `Add the missing columns. Unknown columns: ${unknown
          .slice(0, 10)
          .map((name) => `"${name}"`)
          .join(", ")}.`,
      },
    ]);
    expect(problemsOf("user_id,note\tx")[0]?.correction).toContain(
      'Unknown columns: "note\\u{9}x".',
    );
    expect(problemsOf("user_id")[0]?.correction).toBe(
      "Add the missing columns. Letter case, spaces and dashes in column names do not matter.",
    );
  });

  test.each([
    ["bank_cod", " (closest match: bank_code)"],
    ["bnk_cde", " (closest match: bank_code)"],
    ["bn_cde", ""],
    ["Branch", " (closest match: branch_code)"],
    ["acount_name", ""],
    ["note", ""],
    ["reference number of our own accounting system", " (closest match: reference)"],
    ["number of our own accounting system", ""],
  ])("are ignored when unknown: %s%s", (name, hint) => {
    expect(headerOf(`${NEEDED},${name}`).notes).toMatchObject([
      {
        code: "column_ignored",
        line: 1,
        column: name,
        correction: `If the column is not needed for payouts, no action is needed. Otherwise, rename it${hint}.`,
      },
    ]);
  });
});
