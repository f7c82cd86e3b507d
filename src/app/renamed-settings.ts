/** Environment variables that payrun no longer reads, and their new names. */
const RENAMED: ReadonlyMap<string, string> = new Map([["BRAKES", "CIRCUIT_BREAKERS"]]);

/** Returns one problem per renamed variable that is set: ignoring it would drop its limits. */
export const renamedProblems = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  [...RENAMED].flatMap(([old, name]) =>
    given[old] === undefined
      ? []
      : [
          `${old} was renamed: set ${name} instead, with the setting names in docs/operate/circuit-breakers.md`,
        ],
  );
