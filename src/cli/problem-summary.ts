import type { Problem } from "#batch/problems.ts";

const EXAMPLES_MAX = 5;

/** Problems grouped by what repairs them, with a few places each: a file of a thousand bad rows is still one screen. */
export function problemSummary(problems: readonly Problem[]): string {
  const groups = Map.groupBy(problems, ({ code, column }) => `${code} ${column ?? ""}`);
  return [...groups.values()]
    .map((group) => {
      const first = group[0] as Problem;
      const places = group
        .slice(0, EXAMPLES_MAX)
        .map(({ line, found }) =>
          [line === null ? "" : `line ${line}`, found ?? ""].filter(Boolean).join(": "),
        )
        .filter(Boolean);
      const more = group.length > EXAMPLES_MAX ? `, and ${group.length - EXAMPLES_MAX} more` : "";
      const count = group.length > 1 ? `${group.length} × ` : "";
      return [
        `${first.severity}: ${count}${first.message} (${first.code})`,
        ...(places.length > 0 ? [`  ${places.join("; ")}${more}`] : []),
        `  Expected ${first.expected}. ${first.repair}`,
      ].join("\n");
    })
    .join("\n");
}
