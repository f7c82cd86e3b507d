import { quoted } from "#cli/terminal/output.ts";

/**
 * Returns the settings of the demo as commands of a shell. Settings of the caller that the demo
 * ignores are empty, so that no command reaches a real database or gateway.
 */
export const environmentText = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join("");
