/** An object whose numbers are the texts that they were written in. */
export type JsonObject = Readonly<Record<string, unknown>>;

const STRING = /"(?:[^"\\]|\\.)*"/g;
/** A number in a text without blanks between its parts; inside a string it only looks like one. */
const NUMBER = /(?<=[:[,])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[,\]}])/g;

/**
 * Reads a text that is one complete JSON object, with every number as the text it was written in, so that no
 * amount passes through a float (F121). Null for everything else, and when any object in it has a name twice:
 * `JSON.parse` would keep the last and not tell.
 */
export function parseObject(written: string): JsonObject | null {
  // Some servers write a byte order mark before their JSON.
  const text = written.startsWith("\uFEFF") ? written.slice(1) : written;
  return readOrNull(plainObject, text) ?? readOrNull(exactObject, text);
}

function readOrNull(read: (text: string) => JsonObject | null, text: string): JsonObject | null {
  try {
    return read(text);
  } catch {
    return null;
  }
}

/**
 * The usual text at a third of the cost: what is written again as it came had no name twice. Quotes that were put into
 * a string end it before a digit: then it is no JSON any more, and left to the exact way.
 */
function plainObject(text: string): JsonObject | null {
  const quoted = text.replace(NUMBER, '"$&"');
  const parsed: unknown = JSON.parse(quoted);
  return isObject(parsed) && JSON.stringify(parsed) === quoted ? parsed : null;
}

function exactObject(text: string): JsonObject | null {
  // The outermost call is for the whole text, which is nobody's member.
  let membersKept = -1;
  const read = function (this: unknown, _name: string, value: unknown, context?: Source): unknown {
    if (!Array.isArray(this)) membersKept += 1;
    return typeof value === "number" ? (context?.source ?? String(value)) : value;
  };
  const parsed: unknown = JSON.parse(text, read);
  const membersWritten = text.replace(STRING, "").split(":").length - 1;
  return isObject(parsed) && membersWritten === membersKept ? parsed : null;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Source {
  readonly source?: string;
}
