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
 * The attributes of every tag of this name, by their names without a prefix. It throws where one is not written as XML:
 * a reader of XML may see another tag there.
 */
export function* tagsOf(part: string, name: string): Generator<Attributes> {
  const tag = new RegExp(
    `<(?:[\\w.-]+:)?${name}(?=[\\s/>])((?:\\s+[\\w.:-]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?>)?`,
    "g",
  );
  for (const [, attributes = "", end] of part.matchAll(tag)) {
    if (end === undefined) throw new Error(`a tag ${name} is not written as XML`);
    yield attributesOf(attributes);
  }
}

function attributesOf(text: string): Attributes {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`${name} stands twice in a tag`);
    attributes.set(name, unescaped(double ?? single ?? ""));
  }
  return attributes;
}

/** What stands between the tags of this name, where it stands first. */
export function insideOf(part: string, name: string): string {
  const start = new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s>])[^<>]*>`).exec(part);
  if (!start) return "";
  const inside = part.slice(start.index + start[0].length);
  return inside.slice(0, Math.max(inside.search(new RegExp(`</(?:[\\w.-]+:)?${name}\\s*>`)), 0));
}

/** What follows each tag of this name, up to the next one. In one pass, also where none of them is closed. */
export const piecesOf = (part: string, name: string): readonly string[] =>
  part.split(new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s/>])`)).slice(1);

/** Excel gives a workbook 65,490 looks of cells at most. */
const LOOKS_MAX = 65_536;

function looksIn(styles: string, group: "cellStyleXfs" | "cellXfs"): readonly Attributes[] {
  const looks: Attributes[] = [];
  for (const look of tagsOf(insideOf(styles, group), "xf")) {
    if (looks.length === LOOKS_MAX) throw new Error("there are too many looks of cells");
    looks.push(look);
  }
  return looks;
}

/** The number that each look of a workbook's cells has under this name, of its own or of the look that it is made of. */
export function numbersOfLooks(styles: string, name: "fontId" | "numFmtId"): readonly number[] {
  const bases = looksIn(styles, "cellStyleXfs");
  return looksIn(styles, "cellXfs").map((look) => {
    const base = bases[Number(look.get("xfId") ?? 0)];
    return Number(look.get(name) ?? base?.get(name) ?? 0);
  });
}

const unescaped = (text: string): string =>
  text.replace(REFERENCE, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : characterOf(code),
  );

/** The character of a reference such as &#233; or &#xe9;, of which this is the number. */
export const characterOf = (code: string): string =>
  String.fromCodePoint(Number(code.replace(/^x/i, "0x")));
