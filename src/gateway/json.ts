const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Reads a text that is one complete JSON object, with every number as the text it was written in, so that no
 * amount passes through a float (F121). Null for everything else, and when any object in it has a name twice:
 * `JSON.parse` would keep the last and not tell.
 */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  // The outermost call is for the whole text, which is nobody's member.
  let membersKept = -1;
  const read = function (this: unknown, _name: string, value: unknown, context?: Source): unknown {
    if (!Array.isArray(this)) membersKept += 1;
    return typeof value === "number" ? (context?.source ?? String(value)) : value;
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, read);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const membersWritten = text.replace(STRING, "").split(":").length - 1;
  return membersWritten === membersKept ? (parsed as Record<string, unknown>) : null;
}

interface Source {
  readonly source?: string;
}
