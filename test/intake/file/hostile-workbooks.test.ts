/**
 * F86 Small workbooks built to keep the reader busy. Each is refused or read within the limits of
 * its thread, and another user's workbook is read meanwhile.
 */
import { expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { THREAD_LIMITS } from "#intake/workbook/sheet-reader.ts";
import { openWorkbook } from "#intake/xlsx-reader.ts";
import { inChunks } from "../../support/samples.ts";
import { text, zipOf } from "../workbook/archive.ts";
import { bookOf, GOOD, HEAD, PARTS, rowOf, sheetOf } from "../workbook/workbook-parts.ts";

const styles = (inside: string) => text("xl/styles.xml", `<styleSheet>${inside}</styleSheet>`);
const strings = (inside: string) => text("xl/sharedStrings.xml", `<sst>${inside}</sst>`);
const rows = [HEAD, rowOf(2, GOOD)];
const sheetWith = (behind: string) =>
  text(
    "xl/worksheets/sheet1.xml",
    `<worksheet><sheetData>${rows.join("")}</sheetData>${behind}</worksheet>`,
  );
/** The slowest code to read. */
const BRACKETS = "[h]".repeat(330);
const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
const [, ...relations] = PARTS;
const tabs = (count: number) =>
  text(
    "xl/workbook.xml",
    `<workbook><sheets>${Array.from({ length: count }, (_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
  );
const manyRelations = (count: number) =>
  text(
    "xl/_rels/workbook.xml.rels",
    `<Relationships>${Array.from({ length: count }, (_, at) => `<Relationship Id="rId${at + 1}" Type="x/worksheet" Target="worksheets/sheet1.xml"/>`).join("")}</Relationships>`,
  );

const HOSTILE: readonly (readonly [string, () => Buffer])[] = [
  [
    "2,200,000 looks of a format of 330 brackets",
    () =>
      zipOf(
        ...PARTS,
        sheetOf(...rows),
        styles(
          `<numFmts>${format(170, BRACKETS)}</numFmts><cellXfs>${'<xf numFmtId="170"/>'.repeat(2_200_000)}</cellXfs>`,
        ),
      ),
  ],
  [
    "60,000 formats of 990 signs",
    () =>
      zipOf(
        ...PARTS,
        sheetOf(...rows),
        styles(
          `<numFmts>${Array.from({ length: 60_000 }, (_, at) => format(200 + at, `${BRACKETS}0`)).join("")}</numFmts>`,
        ),
      ),
  ],
  [
    "9,000 formats of 990 signs, each in use",
    () =>
      zipOf(
        ...PARTS,
        sheetOf(...rows),
        styles(
          `<numFmts>${Array.from({ length: 9_000 }, (_, at) => format(200 + at, BRACKETS)).join("")}</numFmts><cellXfs>${Array.from({ length: 9_000 }, (_, at) => `<xf numFmtId="${200 + at}"/>`).join("")}</cellXfs>`,
        ),
      ),
  ],
  [
    "a bomb: 80 MiB of blanks in a part",
    () =>
      zipOf(...PARTS, sheetOf(...rows), {
        name: "xl/media/bomb.xml",
        content: Buffer.alloc(80 * 1024 ** 2, 0x20),
      }),
  ],
  [
    "a bomb that lies about its size",
    () =>
      zipOf(...PARTS, sheetOf(...rows), {
        name: "xl/media/bomb.xml",
        content: Buffer.alloc(80 * 1024 ** 2, 0x20),
        said: 100,
      }),
  ],
  [
    "elements in elements, 300,000 deep",
    () => zipOf(...PARTS, sheetWith(`${"<a>".repeat(300_000)}${"</a>".repeat(300_000)}`)),
  ],
  [
    "elements in a text, 200,000 deep",
    () =>
      zipOf(
        ...PARTS,
        sheetOf(...rows),
        strings(`<si>${"<r>".repeat(200_000)}${"</r>".repeat(200_000)}</si>`),
      ),
  ],
  [
    "500,000 shared texts",
    () => zipOf(...PARTS, sheetOf(...rows), strings("<si><t>a</t></si>".repeat(500_000))),
  ],
  [
    "a shared text of 20 MB",
    () => zipOf(...PARTS, sheetOf(...rows), strings(`<si><t>${"a".repeat(20_000_000)}</t></si>`)),
  ],
  ["50,000 sheets", () => zipOf(tabs(50_000), ...relations, sheetOf(...rows))],
  [
    "50,000 sheets with as many relations",
    () => zipOf(tabs(50_000), manyRelations(50_000), sheetOf(...rows)),
  ],
  [
    "200,000 merged areas over each other",
    () =>
      zipOf(
        ...PARTS,
        sheetWith(`<mergeCells>${'<mergeCell ref="A1:CV1000000"/>'.repeat(200_000)}</mergeCells>`),
      ),
  ],
  [
    "50,000 conditions with formats of 990 signs",
    () =>
      zipOf(
        ...PARTS,
        sheetWith(
          '<conditionalFormatting sqref="A1"><cfRule dxfId="1"/></conditionalFormatting>'.repeat(
            50_000,
          ),
        ),
        styles(`<dxfs>${`<dxf><numFmt formatCode="${BRACKETS}"/></dxf>`.repeat(30_000)}</dxfs>`),
      ),
  ],
  [
    "200,000 hidden columns",
    () =>
      zipOf(...PARTS, sheetWith('<cols><col min="1" max="9" hidden="1"/></cols>'.repeat(200_000))),
  ],
];

const read = (book: Buffer, sender: string) =>
  openFile(inChunks(book, 65_536), DEFAULT_ROW_SETTINGS, { sender });
const good = await bookOf(GOOD);

test.each(HOSTILE)(
  "F86 %s: finishes while another user's workbook is read",
  async (_what, make) => {
    const book = make();
    expect(book.length).toBeLessThan(1_000_000);
    const cpuAtStart = process.cpuUsage();
    const attacks = Promise.all([1, 2].map(() => read(book, "user:attacker")));
    const startedMs = performance.now();
    const other = await read(good, "user:other");
    const waitedMs = performance.now() - startedMs;
    await attacks;
    const { user } = process.cpuUsage(cpuAtStart);
    expect(other.ok).toBe(true);
    expect(waitedMs).toBeLessThan(30_000);
    // Two workbooks, each far below the limit of its thread.
    expect(user / 1_000).toBeLessThan(THREAD_LIMITS.cpuMs);
  },
  240_000,
);

test("F86 stops a workbook that uses all its time, without delaying other users", async () => {
  const book = zipOf(...PARTS, sheetOf(...rows), strings("<si><t>a</t></si>".repeat(500_000)));
  const limits = { ...THREAD_LIMITS, cpuMs: 300 };
  const source = () => inChunks(book, 65_536);
  const attacks = [1, 2, 3, 4].map(() =>
    openWorkbook(source(), DEFAULT_ROW_SETTINGS, { sender: "user:attacker" }, limits),
  );
  let ended = 0;
  for (const attack of attacks) void attack.then(() => (ended += 1));
  const other = await read(good, "user:other");
  expect(other.ok).toBe(true);
  expect(ended).toBeLessThan(attacks.length);
  for (const attack of await Promise.all(attacks)) {
    expect(attack).toMatchObject({
      ok: false,
      error: [{ message: expect.stringContaining("longer than 0.3 seconds") }],
    });
  }
});
