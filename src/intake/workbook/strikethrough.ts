import { columnOf } from "#intake/workbook/grid.ts";
import { contentOf, cellFormatNumbers, piecesOf } from "#intake/workbook/xml-tags.ts";

// One pass over millions of cells. For speed, tags are not parsed completely as tagsOf does.
/** Matches strikethrough that is not switched off. */
const STRIKE = /<(?:[\w.-]+:)?strike(?=[\s/>])(?!\s+val\s*=\s*["'](?:0|false)["'])/;
const SHOWN = /<(?:[\w.-]+:)?v(?:\s[^<>]*)?>(\d+)/;
const SHARED = /\st\s*=\s*["']s["']/;
const FORMAT_INDEX = /\ss\s*=\s*["'](\d+)/;
const ADDRESS = /[\s:]r\s*=\s*["']([A-Z]+)(\d+)/;

/** The parts of a workbook that define what is struck out. */
interface Written {
  readonly sheet: string;
  readonly styles: string;
  /** The shared strings of the cells. */
  readonly strings: string;
}

/**
 * Returns a test for whether a cell is struck out, as a whole or in a part of its text. Lines count
 * from 1, columns from 0.
 */
export function strikethroughIn({
  sheet,
  styles,
  strings,
}: Written): (line: number, place: number) => boolean {
  const looks = struckFormats(styles);
  const texts = struckStrings(strings);
  const cells = new Map<number, Set<number>>();
  const mayBe = looks.size > 0 || texts.size > 0 || STRIKE.test(sheet);
  for (const piece of mayBe ? piecesOf(contentOf(sheet, "sheetData"), "c") : []) {
    const tag = piece.slice(0, piece.indexOf(">"));
    const isShared = SHARED.test(tag) && texts.has(Number(SHOWN.exec(piece)?.[1] ?? -1));
    if (!looks.has(Number(FORMAT_INDEX.exec(tag)?.[1] ?? 0)) && !isShared && !STRIKE.test(piece))
      continue;
    const [, letters = "", line] = ADDRESS.exec(tag) ?? [];
    const places = cells.get(Number(line)) ?? new Set();
    cells.set(Number(line), places.add(columnOf(letters) - 1));
  }
  return (line, place) => cells.get(line)?.has(place) === true;
}

/** Returns the indexes of the cell formats whose font is struck out. */
function struckFormats(styles: string): ReadonlySet<number> {
  const fonts = piecesOf(contentOf(styles, "fonts"), "font").map(isStruckFormat);
  if (!fonts.includes(true)) return new Set();
  return new Set(
    cellFormatNumbers(styles, "fontId").flatMap((font, at) => (fonts[font] ? [at] : [])),
  );
}

/** Returns the indexes of the shared strings that are struck out in some part. */
function struckStrings(strings: string): ReadonlySet<number> {
  if (!STRIKE.test(strings)) return new Set();
  return new Set(piecesOf(strings, "si").flatMap((text, at) => (isStruckFormat(text) ? [at] : [])));
}

const isStruckFormat = (looks: string): boolean => STRIKE.test(looks);
