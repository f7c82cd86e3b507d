import { readFileSync } from "node:fs";
import type { AlarmCode } from "#operations/alarms.ts";

interface Part {
  readonly heading: string;
  readonly text: string;
}

let sections: ReadonlyMap<string, readonly Part[]> | null = null;

/**
 * Returns the section of runbook.md about an alarm: meaning, effect on money, where to look,
 * safe and unsafe actions.
 */
export function runbookParts(alarm: AlarmCode): Part[] {
  sections ??= sectionsOf(
    readFileSync(new URL("../../../docs/operate/runbook.md", import.meta.url), "utf8"),
  );
  return [...(sections.get(alarm) ?? [])];
}

function sectionsOf(page: string): ReadonlyMap<string, readonly Part[]> {
  const [, ...texts] = page.split(/^## /m);
  return new Map(
    texts.map((text) => {
      const [name = "", ...paragraphs] = text.split("\n\n");
      return [name.trim(), paragraphs.flatMap(partOf)];
    }),
  );
}

/** Parses "**Heading:** Text". Links and code are reduced to their text. */
function partOf(paragraph: string): Part[] {
  const match = /^\*\*(.+?)\*\* (.+)$/s.exec(paragraph.trim());
  if (!match) return [];
  const [, heading = "", text = ""] = match;
  const plain = text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll(/[`*]/g, "");
  return [{ heading: heading.replace(/:$/, ""), text: plain }];
}
