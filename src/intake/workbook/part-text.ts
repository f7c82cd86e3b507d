import { characterOf } from "#intake/workbook/xml-tags.ts";
import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";

/** The XML parts of a workbook by their paths in the archive. */
export type Parts = ReadonlyMap<string, Buffer>;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const PROLOG = /^\s*<\?xml\s[^<>]*\?>\s*/;
const ENCODING = /\sencoding\s*=\s*["']([^"']*)/;
/**
 * Matches a text or value that is interrupted by an element, a comment, a CDATA section or a
 * processing instruction.
 */
const INTERRUPTED_TEXT = /<(?:[\w.-]+:)?[tv](?:\s(?:[^<>]*[^<>/])?)?>[^<]*<[^/]/;
/**
 * Matches a second text directly after the first one, unless only rich text properties are between
 * them.
 */
const SECOND_TEXT =
  /(?:<\/(?:[\w.-]+:)?(?!rPr\s*>)\w+\s*>|<(?:[\w.-]+:)?phoneticPr[^<>]*\/>)\s*<(?:[\w.-]+:)?t[\s/>]/;
/** Matches anything after a text other than the end of its parent, rich text or phonetic text. */
const AFTER_TEXT =
  /<(?:\/(?:[\w.-]+:)?t\s*|(?:[\w.-]+:)?t(?:\s[^<>]*)?\/)>(?!\s*(?:$|<\/|<(?:[\w.-]+:)?(?:r|rPh|phoneticPr)[\s/>]))/;
/** Matches anything after a value other than the end of its cell. */
const AFTER_VALUE =
  /<(?:\/(?:[\w.-]+:)?(?:v|is)\s*|(?:[\w.-]+:)?(?:v|is)(?:\s[^<>]*)?\/)>(?!\s*(?:$|<\/(?:[\w.-]+:)?c\s*>|<(?:[\w.-]+:)?extLst[\s/>]))/;
/** Matches a reference to a character above U+FFFF, and possibly below. The number decides. */
const FAR_REFERENCE = /&#(x[\da-f]{5,}|\d{5,});/gi;

/**
 * Returns the text of a part in the form in which every program reads it. Err: why it must not be
 * read. The sheet reader keeps only the last piece of a text that has several, so `5526<!--
 * -->0181590831` would become the account 0181590831. It also converts a reference to a character
 * above U+FFFF into a different character.
 */
export function partText(parts: Parts, path: string): Result<string, string> {
  const bytes = parts.get(path);
  const part = `its part ${visible(path)}`;
  if (!bytes) return err(`${part} is missing`);
  const text = utf8(bytes);
  if (text === null) return err(`${part} is not UTF-8`);
  const body = text.replace(PROLOG, "");
  if (body.includes("<!") || body.includes("<?")) {
    return err(
      `${part} contains a comment, a CDATA section or an instruction, which spreadsheets never write`,
    );
  }
  if (
    [INTERRUPTED_TEXT, SECOND_TEXT, AFTER_TEXT, AFTER_VALUE].some((pieces) => pieces.test(body))
  ) {
    return err(`${part} contains text split into several pieces, which spreadsheets never write`);
  }
  return ok(body.replace(FAR_REFERENCE, farCharacter));
}

function utf8(bytes: Buffer): string | null {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return null;
  }
  const prolog = PROLOG.exec(text)?.[0] ?? "";
  const encoding = ENCODING.exec(prolog)?.[1] ?? "utf-8";
  const isAscii = text.length === bytes.length;
  return text.includes("\0") || !(isAscii || /^utf-?8$/i.test(encoding)) ? null : text;
}

function farCharacter(reference: string, code: string): string {
  const character = characterOf(code);
  return character.length > 1 ? character : reference;
}
