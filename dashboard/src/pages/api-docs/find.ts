import type { ApiDocs, ApiSection, Endpoint } from "./description.ts";
import { blocksOf } from "./markdown.ts";

/** Returns the endpoints whose method, path or summary contains each typed word. */
export function findEndpoints({ sections }: ApiDocs, text: string): readonly Endpoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sections
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ method, path, summary }) => {
      const known = `${method} ${path} ${summary}`.toLowerCase();
      return words.every((word) => known.includes(word));
    });
}

/** Returns the error codes, each with its HTTP status and meaning. */
export function errorCodesOf({ problem }: ApiDocs): readonly (readonly string[])[] {
  const table = blocksOf(problem.description ?? "").find(({ kind }) => kind === "table");
  if (table?.kind !== "table") return [];
  return table.rows.map((cells) => cells.map((cell) => cell.replaceAll("`", "")));
}

/** The part of the documentation at an address. */
export type Entry =
  | { readonly kind: "endpoint"; readonly section: ApiSection; readonly endpoint: Endpoint }
  | { readonly kind: "section"; readonly section: ApiSection }
  | { readonly kind: "errors" | "unknown" };

/** Returns the part with this last part of its address. */
export function entryOf({ sections }: ApiDocs, address: string): Entry {
  if (address === "errors") return { kind: "errors" };
  for (const section of sections) {
    if (section.slug === address) return { kind: "section", section };
    const endpoint = section.endpoints.find((each) => each.operationId === address);
    if (endpoint) return { kind: "endpoint", section, endpoint };
  }
  return { kind: "unknown" };
}
