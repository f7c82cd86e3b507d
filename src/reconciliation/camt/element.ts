/** An element of a statement with its content. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  text: string;
  readonly children: Element[];
}

/** Returns the elements at a path such as "Refs/TxId". */
export function elementsAt(parent: Element, path: string): readonly Element[] {
  let found: readonly Element[] = [parent];
  for (const name of path.split("/")) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

/** Returns the first element at a path. */
export const elementAt = (parent: Element, path: string): Element | undefined =>
  elementsAt(parent, path)[0];

/** Returns the text of the first element at one of the paths; "" if none has a text. */
export function textAt(parent: Element, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = elementAt(parent, path)?.text;
    if (text) return text;
  }
  return "";
}
