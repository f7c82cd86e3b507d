import { describe, expect, test } from "vitest";
import { partText } from "#intake/workbook/part-text.ts";

const PATH = "xl/worksheets/sheet1.xml";
const textOf = (part: string | Buffer) => partText(new Map([[PATH, Buffer.from(part)]]), PATH);
const why = (reason: string) => ({ ok: false, error: `its part ${PATH} ${reason}` });
const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** The same content in other forms that XML allows. */
const DRESSES: readonly ((part: string) => string)[] = [
  (part) => part,
  (part) => part.replaceAll(/<(\/?)(?=[a-z]\w*[\s/>])/gi, "<$1x-1.y:"),
  (part) => part.replaceAll(/\s*(\/?>)/g, "\n$1"),
  (part) => part.replaceAll(/(<[a-z]\w*)(?=[\s/>])/gi, '$1 a="b"'),
];

describe("reads a part as programs write it", () => {
  test.each([
    ["with a prolog", `${PROLOG}<c><v>1</v></c>`],
    ["without one", "<c><is><t>1</t></is></c>"],
    ["rich text", "<si><r><rPr><b/></rPr><t>1</t></r><r><t>2</t></r></si>"],
    ["text with empty formatting", "<si><r><rPr/><t>1</t></r><r><rPr></rPr><t>2</t></r></si>"],
    [
      "text with its phonetic reading",
      '<si><t>山</t><rPh sb="0" eb="1"><t>ヤマ</t></rPh><phoneticPr fontId="1"/></si>',
    ],
    ["consecutive texts", "<si><t>1</t></si><si><t xml:space='preserve'> 2</t></si>"],
    ["empty texts", '<si><t/></si><si><t xml:space="preserve"/><phoneticPr fontId="1"/></si>'],
    ["a formula and its value", "<c><f>A1</f><v>1</v></c><c><v></v></c><c><v/></c>"],
    ["rich text after an empty one", "<si><t/>\n <x:r><t>1</t></x:r></si>"],
    ["a cell of a later version", "<c><v>1</v> <x:extLst/></c><c><is><t>1</t></is><extLst/></c>"],
    ["a text at its end", "<t>1</t> \n"],
    ["a value at its end", "<v>1</v> \n"],
    ["characters that look like markup", "<t>&lt;!-- 1 --&gt; ! ?</t>"],
    ["letters of any script", `${PROLOG}<t>é山𠮷</t>`],
    ["adjacent letters by their code", "<t>&#233;&#x5c71;&#65535;</t>"],
  ])("%s", (_, part) => {
    const body = part.replace(PROLOG, "");
    expect(textOf(part)).toEqual({ ok: true, value: body });
    for (const dressed of DRESSES.map((dress) => dress(body)))
      expect(textOf(dressed)).toEqual({ ok: true, value: dressed });
  });
});

test("strips a UTF-8 byte order mark and the prolog", () => {
  expect(textOf(`\ufeff${PROLOG}<t>1</t>`)).toEqual({ ok: true, value: "<t>1</t>" });
});

test.each([
  ["&#134071;&#x20BB7;&#x020bb7;", "𠮷𠮷𠮷"],
  ["&#128512;", "😀"],
  ["&#00065;&#x00041;", "&#00065;&#x00041;"],
  ["&amp;#134071;", "&amp;#134071;"],
])("decodes the characters %s as %s", (reference, characters) => {
  expect(textOf(`<t>${reference}</t>`)).toEqual({ ok: true, value: `<t>${characters}</t>` });
});

const COMMENT = why(
  "contains a comment, a CDATA section or an instruction, which spreadsheets never write",
);
const PIECES = why("contains text split into several pieces, which spreadsheets never write");

describe("refuses a part that another program would read differently", () => {
  test.each([
    ["a comment in a text", "<t>5526<!-- -->0181590831</t>", COMMENT],
    ["a comment in a value", "<v>1<!---->500.5</v>", COMMENT],
    ["a comment anywhere", "<!-- <sheet/> --><sheet/>", COMMENT],
    ["a CDATA section", "<t>Asha <![CDATA[& Ravi]]> Verma</t>", COMMENT],
    ["an instruction", "<v>1<?x ?>500</v>", COMMENT],
    ["an instruction after the prolog", `${PROLOG}<?x ?><v>1</v>`, COMMENT],
    ["a prolog after other content", `<t>1</t>${PROLOG}`, COMMENT],
    ["a prolog after letters", `x${PROLOG}<t>1</t>`, COMMENT],
    ["names with their own prefix", '<!DOCTYPE x [<!ENTITY a "b">]><t>&a;</t>', COMMENT],
    ["an element in a text", "<t>5526<x/>0181590831</t>", PIECES],
    ["an element in a value", "<v>1<x>2</x>3</v>", PIECES],
    ["an element in a text with attributes", '<x:t xml:space="preserve">1<x/>2</x:t>', PIECES],
    ["two texts", "<is><t>Asha</t><t>Verma</t></is>", PIECES],
    ["two texts with blanks between", "<is><x:t>Asha</x:t>\n <x:t>Verma</x:t></is>", PIECES],
    ["a text after rich text", "<si><r><t>Asha</t></r><t>Verma</t></si>", PIECES],
    [
      "a text after its phonetic reading",
      '<si><t>1</t><phoneticPr fontId="1"/><t>2</t></si>',
      PIECES,
    ],
    ["two texts around another element", "<si><t>5526</t><x/><t>9999</t></si>", PIECES],
    ["a text after an empty one", '<si><t xml:space="preserve"/><x/><t>1</t></si>', PIECES],
    ["an element after an empty text", "<si><t/><x/><t>1</t></si>", PIECES],
    ["a text after a phonetic reading", "<si><rPh><t>1</t></rPh><t>2</t></si>", PIECES],
    ["two texts around letters", "<si><t>5526</t>0<x:t>9999</x:t></si>", PIECES],
    [
      "a text after an element that looks like rich text",
      "<si><t>1</t><row/><t>2</t></si>",
      PIECES,
    ],
    ["two values around a formula", "<c><v>100</v><f/><v>900</v></c>", PIECES],
    ["a value after an empty one", "<c><x:v /><x:f/><x:v>900</x:v></c>", PIECES],
    ["an element after an empty value", "<c><v/><f/><v>900</v></c>", PIECES],
    ["a value after a text", "<c><is><t>100</t></is><v>900</v></c>", PIECES],
    ["two texts of a cell", "<c><is><t>100</t></is> <is><t>900</t></is></c>", PIECES],
    ["a value after a column element", "<c><v>100</v><cols/><v>900</v></c>", PIECES],
    ["a value after the end of another element", "<c><x><v>100</v></x><v>900</v></c>", PIECES],
    ["two values", "<c><v>1</v><v>500</v></c>", PIECES],
  ])("%s", (_, part, refused) => {
    for (const dress of DRESSES) expect(textOf(dress(part))).toEqual(refused);
  });
});

const utf16 = Buffer.from("\ufeff<t>Asha</t>", "utf16le");

describe("refuses a part that is not UTF-8", () => {
  test.each([
    ["a broken byte", Buffer.from("<t>Jos\xe9</t>", "latin1")],
    ["UTF-16", utf16],
    ["UTF-16 without a byte order mark", utf16.subarray(2)],
    ["a declared encoding", Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><t>Ã©</t>')],
    ["one declared with blanks", Buffer.from(`<?xml version="1.0" encoding = 'Latin1'?><t>é</t>`)],
    ["one with a similar name", Buffer.from(`<?xml version="1.0" encoding="utf-80"?><t>é</t>`)],
    ["one with a similar ending", Buffer.from(`<?xml version="1.0" encoding="x-utf-8"?><t>é</t>`)],
  ])("%s", (_, part) => {
    expect(textOf(part)).toEqual(why("is not UTF-8"));
  });

  test("accepts an encoding that is named differently or makes no difference", () => {
    expect(textOf('<?xml version="1.0" encoding="utf8"?><t>é</t>').ok).toBe(true);
    const part = '<?xml version="1.0" encoding="us-ascii"?><t>Asha</t>';
    expect(textOf(part)).toEqual({ ok: true, value: "<t>Asha</t>" });
  });
});

test("names a missing part", () => {
  expect(partText(new Map(), "xl/\u200bx.xml")).toEqual({
    ok: false,
    error: "its part xl/\\u{200b}x.xml is missing",
  });
});
