/** The product's source as the TypeScript compiler sees it: syntax, symbols and types. */
import { join } from "node:path";
import {
  isAsExpression,
  isAwaitExpression,
  isCallExpression,
  isNonNullExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isTypeAliasDeclaration,
  type CallExpression,
  type Node,
  type SourceFile,
  type TaggedTemplateExpression,
} from "typescript/unstable/ast";
import {
  API,
  type Project,
  type Symbol,
  SymbolFlags,
  type Type,
  type TypeReference,
} from "typescript/unstable/sync";

const ROOT = join(import.meta.dirname, "..", "..", "..");

export class Source {
  readonly files: readonly SourceFile[];
  readonly #api = new API({ cwd: ROOT });
  readonly #project: Project;
  readonly #symbols = new Map<Node, Symbol | null>();
  /** By declaration: the methods of a generic class have a symbol for each of its types. */
  readonly #calls = new Map<Node, CallExpression[]>();

  /** @param folders folders of the product, relative to the root. */
  constructor(folders: readonly string[]) {
    const snapshot = this.#api.updateSnapshot({ openProjects: [join(ROOT, "tsconfig.json")] });
    const project = snapshot.getProjects()[0];
    if (!project) throw new Error("TypeScript found no project");
    this.#project = project;
    const starts = folders.map((folder) => join(ROOT, folder, "/"));
    this.files = project.program
      .getSourceFileNames()
      .filter((name) => starts.some((start) => name.startsWith(start)))
      .map((name) => project.program.getSourceFile(name))
      .filter((file) => file !== undefined);
    for (const file of this.files) this.#indexCalls(file);
  }

  get checker() {
    return this.#project.checker;
  }

  close(): void {
    this.#api.close();
  }

  /** The symbol that a name refers to, in the file that declares it. */
  symbolOf(name: Node): Symbol | null {
    const known = this.#symbols.get(name);
    if (known !== undefined) return known;
    const symbol = this.#declared(
      isShorthandPropertyAssignment(name.parent)
        ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
        : this.checker.getSymbolAtLocation(name),
    );
    this.#symbols.set(name, symbol);
    return symbol;
  }

  declarationOf(symbol: Symbol): Node | null {
    const handle = symbol.valueDeclaration ?? symbol.declarations[0];
    return handle?.resolve(this.#project) ?? null;
  }

  /** All calls of a function or method in the product. */
  callsOf(symbol: Symbol): readonly CallExpression[] {
    const declaration = this.declarationOf(symbol);
    return (declaration && this.#calls.get(declaration)) ?? [];
  }

  typeOf(node: Node): Type | null {
    return this.checker.getTypeAtLocation(node) ?? null;
  }

  /** True if an expression is, or may be, a part of a statement and not a value. */
  isFragment(node: Node): boolean {
    const type = this.typeOf(node);
    return type !== null && this.#mayBeRaw(type);
  }

  /** A type that a file of the tests exports. */
  typeNamed(file: string, name: string): Type {
    const source = this.#project.program.getSourceFile(join(ROOT, file));
    for (const node of source ? nodesIn(source) : []) {
      if (!isTypeAliasDeclaration(node) || node.name.text !== name) continue;
      const symbol = this.checker.getSymbolAtLocation(node.name);
      if (symbol) return this.checker.getDeclaredTypeOfSymbol(symbol);
    }
    throw new Error(`${file} has no type ${name}`);
  }

  /** Also true for the promise of a fragment. */
  #mayBeRaw(type: Type): boolean {
    if (type.isUnionType()) return (type.getTypes() ?? []).some((each) => this.#mayBeRaw(each));
    const name = type.getSymbol()?.name ?? "";
    if (name !== "Promise") return RAW.has(name);
    const [value] = this.checker.getTypeArguments(type as TypeReference);
    return value !== undefined && this.#mayBeRaw(value);
  }

  #declared(symbol: Symbol | undefined): Symbol | null {
    if (!symbol) return null;
    return symbol.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOwn(node: Node): boolean {
    return !node.getSourceFile().fileName.includes("/node_modules/");
  }

  #indexCalls(file: SourceFile): void {
    const calls = [...nodesIn(file)].filter(isCallExpression);
    const names = calls.map(({ expression }) =>
      isPropertyAccessExpression(expression) ? expression.name : expression,
    );
    const symbols = names.length > 0 ? this.checker.getSymbolAtLocation(names) : [];
    for (const [at, call] of calls.entries()) {
      const symbol = this.#declared(symbols[at]);
      if (!symbol) continue;
      const declaration = this.declarationOf(symbol);
      if (!declaration || !this.#isOwn(declaration)) continue;
      this.#calls.set(declaration, [...(this.#calls.get(declaration) ?? []), call]);
    }
  }
}

const RAW = new Set(["RawBuilder", "AliasedRawBuilder"]);

export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) yield* nodesIn(child);
}

export const isTemplate = (node: Node): node is TaggedTemplateExpression =>
  isTaggedTemplateExpression(node) && node.tag.getText() === "sql";

/** An expression without parentheses, `await`, casts and assertions. */
export function bare(node: Node): Node {
  return isParenthesizedExpression(node) ||
    isAwaitExpression(node) ||
    isAsExpression(node) ||
    isSatisfiesExpression(node) ||
    isNonNullExpression(node)
    ? bare(node.expression)
    : node;
}

/** The place of a node, as an editor opens it. */
export function placeOf(node: Node): string {
  const file = node.getSourceFile();
  const line = file.text.slice(0, node.getStart()).split("\n").length;
  return `${file.fileName.slice(ROOT.length + 1)}:${line}`;
}
