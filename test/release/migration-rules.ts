/** A rule that a migration breaks, with the statement. */
export interface Violation {
  readonly rule: Rule;
  readonly statement: string;
}

/**
 * Statements that the previous release may not survive, because its processes keep running after
 * the migration, or that block them.
 */
// biome-ignore format: one line for each rule
const RULES = {
  drop:              /^(?:alter table .*?\b)?drop (?!not null|default|constraint|trigger|index|policy)/,
  rename:            /^alter .*\brename\b/,
  "alter type":      /^alter table .*\balter (?:column )?\S+ (?:set data )?type\b/,
  "set not null":    /^alter table .*\bset not null\b/,
  "not null without default": /^alter table .*\badd (?:column )?(?:if not exists )?(?!constraint)\S+ (?!.*\bdefault\b).*\bnot null\b/,
  "add constraint":  /^alter table .*\badd (?:constraint \S+ )?(?:check|foreign key|unique|primary key|exclude)\b(?!.*\bnot valid\b)/,
  "drop default":    /^alter table .*\bdrop default\b/,
  "create trigger":  /^create (?:or replace )?(?:constraint )?trigger .*? on (\S+)/,
  "create index":    /^create (?:unique )?index (?!concurrently).*? on (?:only )?(\S+)/,
  "rewrite rows":    /^(?:update|delete from) /,
  revoke:            /^revoke /,
} as const satisfies Record<string, RegExp>;

export type Rule = keyof typeof RULES;

/** Returns the statements of a script in lower case, without comments and with single spaces. */
export function statementsOf(script: string): readonly string[] {
  const statements: string[] = [];
  let current = "";
  // Comments, dollar-quoted bodies, strings and names with quotes may contain semicolons.
  const TOKEN =
    /--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|"[^"]*"|;|[^-/$'";]+|[\s\S]/g;
  for (const [token] of script.matchAll(TOKEN)) {
    if (token.startsWith("--") || token.startsWith("/*")) continue;
    if (token === ";") {
      statements.push(current);
      current = "";
    } else if (/^(?:\$\w*\$|')/.test(token)) current += "''";
    else current += token;
  }
  return [...statements, current]
    .map((text) => text.replaceAll(/\s+/g, " ").trim().toLowerCase())
    .filter(Boolean);
}

/** Returns the rules that a migration breaks. Tables that it creates itself are free. */
export function violationsOf(script: string): readonly Violation[] {
  const statements = statementsOf(script);
  const own = new Set(
    statements.flatMap((text) => /^create table (?:if not exists )?(\S+)/.exec(text)?.[1] ?? []),
  );
  return statements.flatMap((statement) =>
    (Object.keys(RULES) as Rule[])
      .filter((rule) => {
        const found = RULES[rule].exec(statement);
        const table =
          found?.[1] ?? /^(?:alter table|update|delete from) (?:only )?(\S+)/.exec(statement)?.[1];
        return found !== null && !own.has(table ?? "");
      })
      .map((rule) => ({ rule, statement })),
  );
}
