import type { Command } from "commander";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { EXAMPLES } from "#cli/app/examples.ts";
import { programFor } from "#cli/app/program.ts";

/** The paths of all commands, such as "batch list"; the program itself is "". */
const pathsOf = (command: Command, path = ""): string[] => [
  path,
  ...command.commands.flatMap((child) => pathsOf(child, `${path} ${child.name()}`.trim())),
];

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : "";

/** Splits a line as a shell does. The target of a redirection is no argument. */
const wordsOf = (line: string): string[] =>
  Array.from(line.replace(/ > \S+$/, "").matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) =>
    String(quoted ?? bare),
  );

const DISARMED = () => {};

function disarm(command: Command): void {
  if (command.commands.length === 0) command.action(DISARMED);
  command.commands.forEach(disarm);
}

/** Parses a line with the real program and returns its command. No action runs. */
async function parsed(line: string): Promise<string> {
  const [name, ...words] = wordsOf(line);
  expect(name).toBe("payrun");
  const program = await programFor(words);
  program.configureOutput({ writeErr: () => {} });
  disarm(program);
  let called = "";
  program.hook("postAction", (_program, command) => {
    called = pathOf(command);
  });
  await program.parseAsync(words, { from: "user" });
  return called;
}

/** Some commands refuse to run while a developer's .env names a server. */
beforeAll(() => {
  vi.stubEnv("PAYRUN_SERVER", "");
});

const PATHS = pathsOf(await programFor([]));

describe.each(PATHS)("the help of payrun %s", (path) => {
  const examples = EXAMPLES[path] ?? [];

  test("has one to three examples, each explained", async () => {
    const words = path.split(" ").filter(Boolean);
    const program = await programFor([]);
    const command = words.reduce(
      (at, word) => at.commands.find((c) => c.name() === word) ?? at,
      program,
    );
    let page = "";
    command.configureOutput({ writeOut: (text) => (page += text) }).outputHelp();
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.length).toBeLessThanOrEqual(3);
    for (const [, does] of examples) {
      expect(does).toMatch(/^[A-Z].*[^.]$/);
      expect(page).toContain(`  # ${does}\n  payrun `);
    }
    expect(page.split("\n").filter((text) => text.length > 80)).toEqual([]);
  });

  test.each(examples)("can run %s", async (line) => {
    const called = await parsed(line);
    expect(`${called} `.startsWith(`${path} `.trimStart())).toBe(true);
  });
});

test("belong to existing commands", () => {
  expect(Object.keys(EXAMPLES).filter((path) => !PATHS.includes(path))).toEqual([]);
});

test.each([
  ["payrun batch lists", "unknown command 'lists'"],
  ["payrun batch list november.csv", "too many arguments"],
  ["payrun pay --totals 1 a.csv", "unknown option '--totals'"],
])("refuses %s, as it would an example that went stale", async (line, says) => {
  await expect(parsed(line)).rejects.toThrow(says);
});
