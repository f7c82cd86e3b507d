export type Attributes = ReadonlyMap<string, string>;

const ATTRIBUTE = /\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&(?:#(x[\da-f]+|\d+)|(\w+));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/**
 * Yields the attributes of every tag with this name, keyed by their names without a prefix.
 * @throws if one is not valid XML: an XML reader may see another tag there.
 */
export function* tagsOf(part: string, name: string): Generator<Attributes> {
  const tag = new RegExp(
    `<(?:[\\w.-]+:)?${name}(?=[\\s/>])((?:\\s+[\\w.:-]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?>)?`,
    "g",
  );
  for (const [, attributes = "", end] of part.matchAll(tag)) {
    if (end === undefined) throw new Error(`a ${name} tag is not valid XML`);
    yield attributesOf(attributes);
  }
}

function attributesOf(text: string): Attributes {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`the attribute ${name} occurs twice in one tag`);
    attributes.set(name, unescaped(double ?? single ?? ""));
  }
  return attributes;
}

/** Returns the content of the first element with this name. */
export function contentOf(part: string, name: string): string {
  const start = new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s>])[^<>]*>`).exec(part);
  if (!start) return "";
  const inside = part.slice(start.index + start[0].length);
  return inside.slice(0, Math.max(inside.search(new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>`)), 0));
}

/**
 * Returns the text after each tag with this name, up to the next one. It takes one pass, even if
 * the tags are not closed.
 */
export const piecesOf = (part: string, name: string): readonly string[] =>
  part.split(new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s/>])`)).slice(1);

/** Maximum number of cell formats. Excel writes at most 65,490. */
const CELL_FORMATS_MAX = 65_536;

function cellFormatsIn(styles: string, group: "cellStyleXfs" | "cellXfs"): readonly Attributes[] {
  const looks: Attributes[] = [];
  for (const look of tagsOf(contentOf(styles, group), "xf")) {
    if (looks.length === CELL_FORMATS_MAX) throw new Error("there are too many cell formats");
    looks.push(look);
  }
  return looks;
}

/**
 * Returns the number that each cell format of a workbook has under this name, either its own or
 * that of its base format.
 */
export function cellFormatNumbers(styles: string, name: "fontId" | "numFmtId"): readonly number[] {
  const bases = cellFormatsIn(styles, "cellStyleXfs");
  return cellFormatsIn(styles, "cellXfs").map((look) => {
    const base = bases[Number(look.get("xfId") ?? 0)];
    return Number(look.get(name) ?? base?.get(name) ?? 0);
  });
}

const unescaped = (text: string): string =>
  text.replace(REFERENCE, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : characterOf(code),
  );

/** Returns the character with this number, as in a reference such as &#233; or &#xe9;. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(Number(code.replace(/^x/i, "0x")));
