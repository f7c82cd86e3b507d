import { characterOf } from "#batch/tags.ts";
import { visible } from "#batch/visible.ts";
import { err, ok, type Result } from "#result.ts";

/** The parts of a workbook that are XML, by their paths in its archive. */
export type Parts = ReadonlyMap<string, Buffer>;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const PROLOG = /^\s*<\?xml\s[^<>]*\?>\s*/;
const ENCODING = /\sencoding\s*=\s*["']([^"']*)/;
/** A text or a value that is interrupted: by an element, a comment, a CDATA section or an instruction. */
const INTERRUPTED = /<(?:[\w.-]+:)?[tv](?:\s(?:[^<>]*[^<>/])?)?>[^<]*<[^/]/;
/** A second text where the first one ended: behind anything but the looks of a piece of rich text. */
const SECOND =
  /(?:<\/(?:[\w.-]+:)?(?!rPr\s*>)\w+\s*>|<(?:[\w.-]+:)?phoneticPr[^<>]*\/>)\s*<(?:[\w.-]+:)?t[\s/>]/;
/** Something else behind a text than the end of what it stands in, rich text or its sound. */
const BEHIND_TEXT =
  /<(?:\/(?:[\w.-]+:)?t\s*|(?:[\w.-]+:)?t(?:\s[^<>]*)?\/)>(?!\s*(?:$|<\/|<(?:[\w.-]+:)?(?:r|rPh|phoneticPr)[\s/>]))/;
/** Something else behind a value than the end of its cell. */
const BEHIND_VALUE =
  /<(?:\/(?:[\w.-]+:)?(?:v|is)\s*|(?:[\w.-]+:)?(?:v|is)(?:\s[^<>]*)?\/)>(?!\s*(?:$|<\/(?:[\w.-]+:)?c\s*>|<(?:[\w.-]+:)?extLst[\s/>]))/;
/** Above U+FFFF, and perhaps below: what it is, its number says. */
const FAR_REFERENCE = /&#(x[\da-f]{5,}|\d{5,});/gi;

/**
 * The text of a part as every program reads it. Err: why it may not be read. The reader of the sheet keeps only the last
 * piece of a text that comes in several, so `5526<!-- -->0181590831` would be the account 0181590831; and of a reference
 * to a character above U+FFFF it makes another character.
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
      `${part} holds a comment, a CDATA section or an instruction, as no spreadsheet writes them`,
    );
  }
  if ([INTERRUPTED, SECOND, BEHIND_TEXT, BEHIND_VALUE].some((pieces) => pieces.test(body))) {
    return err(`${part} holds a text in several pieces, as no spreadsheet writes it`);
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
