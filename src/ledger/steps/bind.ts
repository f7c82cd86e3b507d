/** Functions without their first parameters, which are already given. */
type Bound<Given extends readonly unknown[], Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (
    ...parameters: [...Given, ...infer Rest]
  ) => infer Returned
    ? (...parameters: Rest) => Returned
    : never;
};

/**
 * Passes the first arguments to each function, so that callers do not need to know the connection
 * or the keys.
 *
 * @example
 * ```ts
 * import { bind } from "#ledger/steps/bind.ts";
 *
 * const add = (left: number, right: number) => left + right;
 * console.log(bind([40], { add }).add(2)); // → 42
 * ```
 */
export function bind<
  Given extends readonly unknown[],
  Functions extends Readonly<Record<string, (...parameters: never[]) => unknown>>,
>(given: readonly [...Given], functions: Functions): Bound<Given, Functions> {
  const bound = Object.entries(functions).map(([name, each]) => [
    name,
    each.bind(null, ...(given as readonly unknown[] as readonly never[])),
  ]);
  return Object.fromEntries(bound) as Bound<Given, Functions>;
}
