/** An element of a statement with its content. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  text: string;
  readonly children: Element[];
}

/** The names in each path. Entries repeat the same few paths. */
const NAMES = new Map<string, readonly string[]>();

function namesIn(path: string): readonly string[] {
  const known = NAMES.get(path);
  if (known) return known;
  const names = path.split("/");
  NAMES.set(path, names);
  return names;
}

/** Returns the children with a name. */
export const childrenOf = (parent: Element, name: string): readonly Element[] =>
  parent.children.filter((child) => child.name === name);

/** Returns the first element at a path such as "Refs/TxId". */
export const elementAt = (parent: Element, path: string): Element | undefined =>
  firstAt(parent, namesIn(path), 0);

function firstAt(parent: Element, names: readonly string[], depth: number): Element | undefined {
  const name = names[depth];
  if (name === undefined) return parent;
  for (const child of parent.children) {
    const found = child.name === name ? firstAt(child, names, depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Reads a truth value of XML Schema. Null: the text is not one. */
export function truthOf(text: string): boolean | null {
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : null;
}

/** Returns the text of the first element at one of the paths; "" if none has a text. */
export function textAt(parent: Element, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = elementAt(parent, path)?.text;
    if (text) return text;
  }
  return "";
}
