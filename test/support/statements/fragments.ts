/**
 * Evaluates the `sql` templates of the product without running it: a value becomes a parameter, a
 * fragment becomes its text, wherever it comes from (a constant, a function, its callers, an
 * array).
 */
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isForOfStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPrivateIdentifier,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
  type CallExpression,
  type Node,
  type TaggedTemplateExpression,
} from "typescript/unstable/ast";
import { bare, isTemplate, nodesIn, placeOf, type Source } from "./source.ts";

/** An expression, and what the parameters of the functions around it are bound to. */
interface Term {
  readonly node: Node;
  readonly env: Env;
}
type Value = Term | Texts | List;
interface Texts {
  readonly texts: readonly string[];
}
interface List {
  readonly items: readonly Value[];
}
type Env = ReadonlyMap<number, Value>;
type Callable = Node & { readonly parameters: readonly Node[]; readonly body?: Node };

const NOTHING: Env = new Map();
/** Deeper, a function calls itself. */
const DEPTH_MAX = 60;
const OF_ARRAYS = new Set(["map", "flatMap", "filter", "forEach", "some", "every", "find"]);
const PARAMETER = "\u0000";

/** A fragment that cannot be evaluated. The message says where and why. */
export class Unresolved extends Error {}

export class Fragments {
  readonly #source: Source;
  /** The templates that are part of an evaluated statement. */
  readonly seen = new Set<TaggedTemplateExpression>();
  #depth = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** All forms of a statement, with numbered parameters. Each form of each fragment occurs. */
  formsOf(node: Node): string[] {
    this.#depth = 0;
    return [...new Set(this.#sql({ node, env: NOTHING }).map(numbered))];
  }

  #sql(value: Value): readonly string[] {
    if (!("node" in value)) return textsOf(value);
    const { env } = value;
    const node = bare(value.node);
    if (!isTemplate(node) && !this.#isFragment(value)) return [PARAMETER];
    if (isTemplate(node)) return this.#template(node, env);
    if (isCallExpression(node)) return this.#call(node, env);
    return this.#each(this.#reached({ node, env }), (each) => this.#sql(each));
  }

  /** Evaluates each value, one level deeper. */
  #each<T>(values: readonly Value[], use: (value: Value) => readonly T[]): readonly T[] {
    if (++this.#depth > DEPTH_MAX) throw new Unresolved("a function that calls itself");
    try {
      return values.flatMap((each) => use(each));
    } finally {
      this.#depth -= 1;
    }
  }

  #template(node: TaggedTemplateExpression, env: Env): readonly string[] {
    this.seen.add(node);
    const { template } = node;
    if (isNoSubstitutionTemplateLiteral(template)) return [template.text];
    if (!isTemplateExpression(template)) throw unresolved(node);
    return joined([
      [template.head.text],
      ...template.templateSpans.flatMap(({ expression, literal }) => [
        this.#isFragment({ node: expression, env })
          ? this.#sql({ node: expression, env })
          : [PARAMETER],
        [literal.text],
      ]),
    ]);
  }

  #isFragment({ node, env }: Term): boolean {
    const inner = bare(node);
    if (isIdentifier(inner)) {
      const bound = env.get(this.#source.symbolOf(inner)?.id ?? -1);
      if (bound) return !("node" in bound) || this.#isFragment(bound);
    }
    return this.#source.isFragment(node);
  }

  #call(node: CallExpression, env: Env): readonly string[] {
    const callee = node.expression;
    const [first, second] = node.arguments;
    if (isPropertyAccessExpression(callee)) {
      const name = callee.name.text;
      if (callee.expression.getText() === "sql" && first) {
        return this.#helper(name, { node: first, env }, second && { node: second, env });
      }
      if (name === "as" && first) {
        const alias = this.#strings({ node: first, env });
        return joined([this.#sql({ node: callee.expression, env }), [" as "], alias.map(quoted)]);
      }
      if (name.startsWith("$")) return this.#sql({ node: callee.expression, env });
    }
    return this.#each(this.#returned(node, env), (each) => this.#sql(each));
  }

  #helper(name: string, term: Term, separator: Term | undefined): readonly string[] {
    if (name === "join") {
      const between = separator ? this.#sql(separator) : [", "];
      const items = this.#items(term);
      if (items.length === 0) throw unresolved(term.node);
      const each = items.map((item) =>
        "node" in item && !this.#isFragment(item) ? [PARAMETER] : this.#sql(item),
      );
      return joined(each.flatMap((forms, at) => (at > 0 ? [between, forms] : [forms])));
    }
    if (name === "lit" && this.#isNumber(term)) return ["1"];
    if (name === "lit") return ["'text'"];
    // The name of a role is only known at run time.
    if (name === "id") return ["some_role"];
    const texts = this.#strings(term);
    if (name === "raw") return texts.filter((text) => text !== "");
    return texts.map((text) => text.split(".").map(quoted).join("."));
  }

  #isNumber({ node }: Term): boolean {
    const type = this.#source.typeOf(node);
    return type !== null && /^(number|\d+)( \||$)/.test(this.#source.checker.typeToString(type));
  }

  #strings(value: Value): readonly string[] {
    if (!("node" in value)) return textsOf(value);
    const { env } = value;
    const node = bare(value.node);
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (isNumericLiteral(node)) return [node.text];
    if (isTemplateExpression(node)) {
      return joined([
        [node.head.text],
        ...node.templateSpans.flatMap(({ expression, literal }) => [
          this.#strings({ node: expression, env }),
          [literal.text],
        ]),
      ]);
    }
    const literals = this.#literalsOf(node);
    if (isPropertyAccessExpression(node) && literals.length > 0) return literals;
    try {
      return this.#each(this.#reached({ node, env }), (each) => this.#strings(each));
    } catch (cause) {
      if (literals.length === 0) throw cause;
      return literals;
    }
  }

  /** The texts that an index may be, or none where it is a number or only known at run time. */
  #keysFor(index: Term): readonly string[] {
    if (isNumericLiteral(bare(index.node)) || this.#isNumber(index)) return [];
    try {
      return this.#strings(index);
    } catch (cause) {
      if (cause instanceof Unresolved) return [];
      throw cause;
    }
  }

  #literalsOf(node: Node): readonly string[] {
    const type = this.#source.typeOf(node);
    const parts = type?.isUnionType() ? (type.getTypes() ?? []) : type ? [type] : [];
    const texts = parts.flatMap((part) => (part.isStringLiteralType() ? [part.value] : []));
    return texts.length === parts.length ? texts : [];
  }

  /** The elements of an array, as far as the source names them. */
  #items(value: Value): readonly Value[] {
    if ("items" in value) return value.items;
    if ("texts" in value) return value.texts.map((text) => ({ texts: [text] }));
    const { env } = value;
    const node = bare(value.node);
    if (isArrayLiteralExpression(node)) {
      return node.elements.flatMap((element): readonly Value[] =>
        isSpreadElement(element)
          ? this.#items({ node: element.expression, env })
          : [{ node: element, env }],
      );
    }
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const [argument] = node.arguments;
      if (["filter", "toSorted", "slice", "values", "entries"].includes(name.text)) {
        if (expression.getText() === "Object") return this.#entries(node, env);
        return this.#items({ node: expression, env });
      }
      if ((name.text === "map" || name.text === "flatMap") && argument) {
        return this.#mapped({ node: expression, env }, bare(argument), name.text === "flatMap");
      }
      if (name.text === "split") {
        return this.#strings({ node: expression, env }).flatMap((text) =>
          text.split(" ").map((part) => ({ texts: [part] })),
        );
      }
    }
    return this.#each(this.#reached({ node, env }), (each) => this.#items(each));
  }

  #entries(node: CallExpression, env: Env): readonly Value[] {
    const [object] = node.arguments;
    if (!object) throw unresolved(node);
    const values = this.#values({ node: object, env });
    if (node.expression.getText() !== "Object.entries") return values;
    const keys = this.#keys({ node: object, env });
    return values.map((value, at) => ({ items: [{ texts: [keys[at] ?? ""] }, value] }));
  }

  #keys(value: Value): readonly string[] {
    if (!("node" in value)) return textsOf(value);
    const node = bare(value.node);
    if (!isObjectLiteralExpression(node)) {
      return this.#each(this.#reached(value), (each) => this.#keys(each));
    }
    return node.properties
      .filter(isPropertyAssignment)
      .map(({ name }) => (isStringLiteral(name) || isIdentifier(name) ? name.text : ""));
  }

  #mapped(list: Term, fn: Node, flat: boolean): readonly Value[] {
    if (!isCallable(fn)) throw unresolved(fn);
    let items: readonly Value[];
    try {
      items = this.#items(list);
    } catch (cause) {
      // A list of values that only the run knows: one element represents all.
      if (!(cause instanceof Unresolved)) throw cause;
      items = [{ node: list.node, env: list.env }];
    }
    return items.flatMap((item, at) => {
      const env = this.#bound(fn, [item, { texts: [String(at)] }], list.env);
      const results = returnsOf(fn).map((node) => ({ node, env }));
      return flat ? results.flatMap((each) => this.#items(each)) : results;
    });
  }

  /** The values pushed onto an array after its declaration. */
  #pushed(name: Node, env: Env): readonly Value[] {
    const symbol = this.#source.symbolOf(name);
    const declaration = symbol && this.#source.declarationOf(symbol);
    if (!declaration) return [];
    const scope = enclosing(declaration, isCallable) ?? name.getSourceFile();
    return [...nodesIn(scope)].flatMap((node) => {
      if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
      const { name: method, expression } = node.expression;
      if (method.text !== "push" || !isIdentifier(expression)) return [];
      if (this.#source.symbolOf(expression)?.id !== symbol.id) return [];
      return node.arguments.flatMap((argument): readonly Value[] =>
        isSpreadElement(argument)
          ? this.#items({ node: argument.expression, env })
          : [{ node: argument, env }],
      );
    });
  }

  /** The expressions whose value this expression has. */
  #reached({ node, env }: Term): readonly Value[] {
    const to = (...nodes: readonly Node[]) => nodes.map((each) => ({ node: bare(each), env }));
    const inner = bare(node);
    if (isConditionalExpression(inner)) {
      return to(inner.whenTrue, inner.whenFalse).filter((each) => !isEmpty(each.node));
    }
    if (isBinaryExpression(inner)) {
      const isAnd = inner.operatorToken.getText() === "&&";
      return isAnd ? to(inner.right) : to(inner.left, inner.right).filter((e) => !isEmpty(e.node));
    }
    if (isIdentifier(inner)) return this.#named(inner, env);
    if (isPropertyAccessExpression(inner)) {
      const name = inner.name.text;
      return this.#property({ node: inner.expression, env }, name);
    }
    if (isElementAccessExpression(inner)) {
      const { expression, argumentExpression: key } = inner;
      const keys = this.#keysFor({ node: key, env });
      if (keys.length === 0) return this.#values({ node: expression, env });
      return keys.flatMap((each) => this.#property({ node: expression, env }, each));
    }
    if (isCallExpression(inner)) return this.#returned(inner, env);
    throw unresolved(inner);
  }

  #named(name: Node, env: Env): readonly Value[] {
    const symbol = this.#source.symbolOf(name);
    const bound = symbol && env.get(symbol.id);
    if (bound) return [bound];
    const declaration = symbol && this.#source.declarationOf(symbol);
    if (!declaration) throw unresolved(name);
    return this.#declared(declaration, env);
  }

  #declared(declaration: Node, env: Env): readonly Value[] {
    if (isVariableDeclaration(declaration)) {
      const { initializer, name } = declaration;
      if (initializer && isArrayLiteralExpression(bare(initializer))) {
        return [
          { items: [...this.#items({ node: initializer, env }), ...this.#pushed(name, env)] },
        ];
      }
      if (initializer) return [{ node: initializer, env }];
      const loop = declaration.parent.parent;
      if (isForOfStatement(loop)) return this.#items({ node: loop.expression, env });
    }
    if (isPropertyDeclaration(declaration) && declaration.initializer) {
      return [{ node: declaration.initializer, env }];
    }
    if (isParameterDeclaration(declaration)) return this.#given(declaration, env);
    if (isBindingElement(declaration)) {
      const outer = declaration.parent.parent;
      if (isArrayBindingPattern(declaration.parent)) {
        const at = declaration.parent.elements.indexOf(declaration);
        return this.#declared(outer, env).flatMap((each) => this.#items(each)[at] ?? []);
      }
      const name = (declaration.propertyName ?? declaration.name)?.getText() ?? "";
      return this.#declared(outer, env).flatMap((each) =>
        "node" in each ? this.#property(each, name) : [],
      );
    }
    throw unresolved(declaration);
  }

  /** The values that the callers give for a parameter. */
  #given(parameter: Node, env: Env): readonly Value[] {
    const fn = parameter.parent as Callable;
    const at = fn.parameters.indexOf(parameter);
    const outer = fn.parent;
    let calls: readonly CallExpression[] = [];
    if (isCallExpression(outer)) {
      // A callback of an array: the parameter is an element.
      if (
        isPropertyAccessExpression(outer.expression) &&
        OF_ARRAYS.has(outer.expression.name.text)
      ) {
        return this.#items({ node: outer.expression.expression, env });
      }
      calls = this.#callsThrough(outer, outer.arguments.indexOf(fn as never));
    } else {
      const name = nameOf(fn);
      const symbol = name && this.#source.symbolOf(name);
      if (symbol) calls = this.#source.callsOf(symbol);
    }
    const values = calls.flatMap((call) => {
      const argument = call.arguments[at] ?? initializerOf(parameter);
      return argument ? [{ node: argument, env: NOTHING }] : [];
    });
    if (values.length === 0) throw unresolved(parameter);
    return values;
  }

  /** The calls of a function that is the argument `at` of another call. */
  #callsThrough(call: CallExpression, at: number): readonly CallExpression[] {
    const name = calleeOf(call);
    const symbol = this.#source.symbolOf(name);
    const fn = symbol && this.#source.declarationOf(symbol);
    const parameter = fn && isCallable(fn) ? fn.parameters[at] : undefined;
    if (!fn || !parameter || !isParameterDeclaration(parameter)) return [];
    const own = this.#source.symbolOf(parameter.name);
    const passed = [...nodesIn(fn)]
      .filter(isCallExpression)
      .flatMap((each) =>
        each.arguments.flatMap((argument, place) =>
          isIdentifier(argument) && this.#source.symbolOf(argument)?.id === own?.id
            ? this.#callsThrough(each, place)
            : [],
        ),
      );
    return [...(own ? this.#source.callsOf(own) : []), ...passed];
  }

  #property(value: Value, name: string): readonly Value[] {
    if (!("node" in value)) throw new Unresolved(`.${name} of a text`);
    const { env } = value;
    const node = bare(value.node);
    if (isObjectLiteralExpression(node)) {
      return node.properties.flatMap((property): readonly Value[] => {
        if (isSpreadAssignment(property)) {
          return this.#property({ node: property.expression, env }, name);
        }
        if (property.name?.getText() !== name) return [];
        if (isPropertyAssignment(property)) return [{ node: property.initializer, env }];
        if (isShorthandPropertyAssignment(property)) return this.#named(property.name, env);
        return [];
      });
    }
    const type = isPropertyAccessExpression(node.parent) ? this.#literalsOf(node.parent) : [];
    if (type.length > 0) return [{ texts: type }];
    return this.#each(this.#reached({ node, env }), (each) =>
      "node" in each && isEmpty(each.node) ? [] : this.#property(each, name),
    );
  }

  /** All values of an object or array. */
  #values(value: Value): readonly Value[] {
    if (!("node" in value)) return this.#items(value);
    const { env } = value;
    const node = bare(value.node);
    if (isArrayLiteralExpression(node)) return this.#items(value);
    if (isObjectLiteralExpression(node)) {
      return node.properties.flatMap((each): readonly Value[] =>
        isPropertyAssignment(each) ? [{ node: each.initializer, env }] : [],
      );
    }
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      return this.#items(value);
    }
    return this.#each(this.#reached({ node, env }), (each) => this.#values(each));
  }

  /** The values that a called function returns, with its parameters bound. */
  #returned(call: CallExpression, env: Env): readonly Value[] {
    const fns = this.#callables({ node: calleeOf(call), env });
    return fns.flatMap(({ fn, inside }) => {
      const given = call.arguments.map((node) => ({ node, env }));
      const within = this.#bound(fn, given, new Map([...env, ...inside]));
      return returnsOf(fn).map((node) => ({ node, env: within }));
    });
  }

  #callables(value: Value): readonly { fn: Callable; inside: Env }[] {
    if (!("node" in value)) return [];
    const node = bare(value.node);
    if (isCallable(node)) return [{ fn: node, inside: value.env }];
    const symbol =
      isIdentifier(node) || isPrivateIdentifier(node) ? this.#source.symbolOf(node) : null;
    const declaration = symbol && !value.env.has(symbol.id) && this.#source.declarationOf(symbol);
    if (declaration && isCallable(declaration)) return [{ fn: declaration, inside: value.env }];
    if (declaration && isPropertyAssignment(declaration)) {
      return this.#callables({ node: declaration.initializer, env: value.env });
    }
    return this.#each(this.#reached({ node, env: value.env }), (each) => this.#callables(each));
  }

  #bound(fn: Callable, given: readonly Value[], env: Env): Env {
    const bound = new Map(env);
    for (const [at, parameter] of fn.parameters.entries()) {
      if (!isParameterDeclaration(parameter)) continue;
      const initializer = initializerOf(parameter);
      const value = given[at] ?? (initializer && { node: initializer, env });
      if (value && isIdentifier(parameter.name)) {
        bound.set(this.#source.symbolOf(parameter.name)?.id ?? -1, value);
      } else if (value) this.#bindPattern(parameter.name, value, bound);
    }
    return bound;
  }

  #bindPattern(pattern: Node, value: Value, bound: Map<number, Value>): void {
    pattern.forEachChild((element) => {
      if (!isBindingElement(element) || !element.name || !isIdentifier(element.name)) return;
      if (!this.#source.isFragment(element.name)) return;
      const name = (element.propertyName ?? element.name).getText();
      const [only] = this.#property(value, name);
      if (only) bound.set(this.#source.symbolOf(element.name)?.id ?? -1, only);
    });
  }
}

const unresolved = (node: Node): Unresolved =>
  new Unresolved(`${placeOf(node)} ${node.getText().slice(0, 60)}`);

const textsOf = (value: Texts | List): readonly string[] =>
  "texts" in value
    ? value.texts
    : value.items.flatMap((each) => ("texts" in each ? each.texts : []));

const calleeOf = ({ expression }: CallExpression): Node =>
  isPropertyAccessExpression(expression) ? expression.name : expression;

const quoted = (name: string): string => `"${name}"`;

const isEmpty = (node: Node): boolean => ["null", "undefined", "[]", '""'].includes(node.getText());

function isCallable(node: Node): node is Callable {
  return (
    isArrowFunction(node) ||
    isFunctionDeclaration(node) ||
    isFunctionExpression(node) ||
    isMethodDeclaration(node)
  );
}

const initializerOf = (parameter: Node): Node | undefined =>
  isParameterDeclaration(parameter) ? parameter.initializer : undefined;

function nameOf(fn: Callable): Node | null {
  if ((isFunctionDeclaration(fn) || isMethodDeclaration(fn)) && fn.name) return fn.name;
  const { parent } = fn;
  return isVariableDeclaration(parent) || isPropertyAssignment(parent) ? parent.name : null;
}

function enclosing<T extends Node>(node: Node, is: (node: Node) => node is T): T | null {
  for (let each = node.parent; each; each = each.parent) if (is(each)) return each;
  return null;
}

/** The expressions that a function returns, without those of the functions inside it. */
function returnsOf(fn: Callable): readonly Node[] {
  if (!fn.body) return [];
  if (isArrowFunction(fn) && !fn.body.getText().startsWith("{")) return [bare(fn.body)];
  const found: Node[] = [];
  const visit = (node: Node): undefined => {
    if (isCallable(node)) return undefined;
    if (isReturnStatement(node) && node.expression && !isEmpty(bare(node.expression))) {
      found.push(bare(node.expression));
    }
    node.forEachChild((child) => visit(child));
    return undefined;
  };
  fn.body.forEachChild((child) => visit(child));
  return found;
}

/**
 * Joins the parts of a text. Where parts have several forms, the first form of each is joined with
 * the first of the others, and so on: they follow from the same callers in the same order.
 */
function joined(parts: readonly (readonly string[])[]): readonly string[] {
  const forms = Math.max(...parts.map(({ length }) => length));
  if (parts.some(({ length }) => length === 0)) throw new Unresolved("a part without a form");
  return Array.from({ length: forms }, (_, at) =>
    parts.map((part) => part[at % part.length]).join(""),
  );
}

function numbered(text: string): string {
  let count = 0;
  return text.replaceAll(PARAMETER, () => `$${++count}`);
}
