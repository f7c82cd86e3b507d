/** Every SQL statement of the product: its place, its text in each form, and its declared row. */
import {
  isCallExpression,
  isElementAccessExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadAssignment,
  isStringLiteral,
  isVariableDeclaration,
  type CallExpression,
  type Node,
  type SpreadAssignment,
} from "typescript/unstable/ast";
import type { Type, TypeReference } from "typescript/unstable/sync";
import { Fragments, Unresolved } from "./fragments.ts";
import { bare, isTemplate, nodesIn, placeOf, type Source } from "./source.ts";

export interface Statement {
  readonly place: string;
  readonly forms: readonly string[];
  /** The declared type of a row; null where no row is read. */
  readonly row: Type | null;
  /** The declared type of the only column, for a part of a statement of the query builder. */
  readonly value: Type | null;
}

export interface Found {
  readonly statements: readonly Statement[];
  /** Statements whose text cannot be determined, with the reason. */
  readonly unresolved: ReadonlyMap<string, string>;
  /** Places of `sql` templates that are part of none of the statements. */
  readonly unused: readonly string[];
}

const TABLES_OF = /^(selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|from|using)$/;
const ORDERS = /^(orderBy|groupBy)$/;

export function findStatements(source: Source): Found {
  const fragments = new Fragments(source);
  const statements: Statement[] = [];
  const unresolved = new Map<string, string>();
  const files = source.files.filter((file) => /\bsql\b|kysely/.test(file.text));
  const templates: Node[] = [];
  const read = (node: Node, make: () => Statement) => {
    try {
      statements.push(make());
    } catch (cause) {
      if (!(cause instanceof Unresolved)) throw cause;
      unresolved.set(placeOf(node), cause.message);
    }
  };
  for (const file of files) {
    for (const node of nodesIn(file)) {
      if (isTemplate(node)) templates.push(node);
      if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) continue;
      const { name, expression } = node.expression;
      if (name.text === "execute" && source.isFragment(expression)) {
        read(node, () => ({
          place: placeOf(node),
          forms: fragments.formsOf(expression),
          row: typeArgumentOf(source, expression),
          value: null,
        }));
        continue;
      }
      for (const { part, method, tables } of partsOf(source, node)) {
        read(part, () => ({
          place: placeOf(part),
          forms: fragments.formsOf(part).map((form) => selected(form, method, tables)),
          row: null,
          value: typeArgumentOf(source, part),
        }));
      }
    }
  }
  const unused = templates.filter((each) => isTemplate(each) && !fragments.seen.has(each));
  return { statements, unresolved, unused: unused.map(placeOf) };
}

/** A statement in which the part of a builder's statement stands alone. */
function selected(part: string, method: string, tables: readonly string[]): string {
  const from = ` from ${tables.join(", ")}`;
  if (ORDERS.test(method)) return `select ${from} order by ${part}`;
  return / as "\w+"$/.test(part) ? `select ${part}${from}` : `select (${part})${from}`;
}

/** The fragments among the arguments of one call of the query builder. */
function partsOf(source: Source, call: CallExpression) {
  if (!isPropertyAccessExpression(call.expression)) return [];
  const method = call.expression.name.text;
  const tables = tablesOf(source, call);
  if (tables.length === 0) return [];
  const parts: Node[] = [];
  const visit = (node: Node): undefined => {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      // A builder inside this one is looked at on its own.
      if (node.expression.expression.getText() !== "sql" && tablesOf(source, node).length > 0)
        return undefined;
    }
    if (isPropertyAssignment(node)) visit(node.initializer);
    else if (isSpreadAssignment(node)) for (const each of spreadIn(source, node)) visit(each);
    else if (isExpression(node) && source.isFragment(node)) parts.push(node);
    else node.forEachChild((child) => visit(child));
    return undefined;
  };
  for (const argument of call.arguments) visit(argument);
  return parts.map((part) => ({ part, method, tables }));
}

/** The expression that is spread, and the functions that it calls. */
function spreadIn(source: Source, spread: SpreadAssignment): readonly Node[] {
  const called = [...nodesIn(spread)].filter(isCallExpression).flatMap(({ expression }) => {
    const symbol = source.symbolOf(expression);
    const declaration = symbol && source.declarationOf(symbol);
    const isOwn = declaration && isVariableDeclaration(declaration) && declaration.initializer;
    return isOwn ? [isOwn] : [];
  });
  return [spread.expression, ...called];
}

const isExpression = (node: Node): boolean =>
  isTemplate(node) ||
  isCallExpression(node) ||
  isIdentifier(node) ||
  isPropertyAccessExpression(node) ||
  isElementAccessExpression(node);

/** The tables whose columns an argument of this call of the query builder can name. */
function tablesOf(source: Source, start: Node): readonly string[] {
  const tables: string[] = [];
  for (let node: Node | null = bare(start); node; ) {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const [first] = node.arguments;
      const isTable = TABLES_OF.test(node.expression.name.text);
      if (isTable && first && isStringLiteral(first)) tables.unshift(first.text);
      node = bare(node.expression.expression);
    } else node = isIdentifier(node) ? builderOf(source, node) : null;
  }
  return tables;
}

/** The expression with which a variable that holds a builder begins. */
function builderOf(source: Source, name: Node): Node | null {
  const symbol = source.symbolOf(name);
  const declaration = symbol && source.declarationOf(symbol);
  if (!declaration || !isVariableDeclaration(declaration) || !declaration.initializer) return null;
  const isBuilder = /QueryBuilder/.test(source.typeOf(name)?.getSymbol()?.name ?? "");
  return isBuilder ? bare(declaration.initializer) : null;
}

function typeArgumentOf(source: Source, node: Node): Type | null {
  const type = source.typeOf(node);
  const parts = type?.isUnionType() ? (type.getTypes() ?? []) : [type];
  const raw = parts.find((part) => part?.getSymbol()?.name.endsWith("RawBuilder"));
  if (!raw) return null;
  return source.checker.getTypeArguments(raw as TypeReference)[0] ?? null;
}
