/** A JSON object in which every number is its original text. */
export type JsonObject = Readonly<Record<string, unknown>>;

const STRING = /"(?:[^"\\]|\\.)*"/g;
/**
 * Matches a number in a text without spaces between its parts. Inside a string it is only an
 * apparent number.
 */
const NUMBER = /(?<=[:[,])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?=[,\]}])/g;

/**
 * Parses a text that is one complete JSON object, with every number as its original text, so no
 * amount passes through a float (F121). Null: anything else, or an object in it repeats a name, of
 * which `JSON.parse` would silently keep the last.
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
 * Parses the usual text at a third of the cost: a text that serialises to itself repeated no name.
 * Quotes inserted into a string end it before a digit, which makes invalid JSON and leaves the text
 * to the exact parser.
 */
function plainObject(text: string): JsonObject | null {
  const quoted = text.replace(NUMBER, '"$&"');
  const parsed: unknown = JSON.parse(quoted);
  return isObject(parsed) && JSON.stringify(parsed) === quoted ? parsed : null;
}

function exactObject(text: string): JsonObject | null {
  // The outermost call is for the whole text, which is not a member.
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
