/** A cell and what it holds, up to the next cell or the end of its row. */
const CELL = /<(?:\w+:)?c(\s[^<>]*?)?(\/?)>([^]*?)(?=<(?:\w+:)?c[\s/>]|<\/(?:\w+:)?row>|$)/g;
const FORMULA = /<(?:\w+:)?f[\s/>]/;
const VALUE = /<(?:\w+:)?(?:v(?:\s[^<>]*)?>[^<]|is[\s>])/;
const ADDRESS = /\sr=["']([A-Z]{1,3}\d{1,7})["']/;

/**
 * The first cell of a sheet that shows an error (#N/A), or a formula that nobody has calculated: its reader would take it
 * for an empty one, and an own transaction code that is lost in this way would be minted anew. Null: there is none. A
 * formula that came to an empty text is an empty cell.
 */
export function lostValue(part: Buffer): string | null {
  if (!part.includes("sheetData")) return null;
  const text = part.toString("latin1");
  if (!/\st=["']e["']/.test(text) && !FORMULA.test(text)) return null;
  for (const [, attributes = "", selfClosed, content = ""] of text.matchAll(CELL)) {
    if (selfClosed === "/") continue;
    const isError = /\st=["']e["']/.test(attributes);
    const isText = /\st=["']str["']/.test(attributes);
    if (isError || (!isText && FORMULA.test(content) && !VALUE.test(content))) {
      return ADDRESS.exec(attributes)?.[1] ?? "without an address";
    }
  }
  return null;
}
