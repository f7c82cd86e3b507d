/** One host of a database address. */
export interface DatabaseHost {
  /** The same address with this host only. */
  readonly url: string;
  /** Host and port, without credentials, for messages. */
  readonly name: string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/is;
const PORT_DEFAULT = "5432";
/** The values of libpq that name the server that accepts writes. */
const WRITABLE = new Set(["read-write", "primary"]);

/**
 * Returns the hosts of a database address in libpq's forms, in their order:
 * `postgres://user@a:5432,b:5432/name` and `postgres:///name?host=a,b&port=5432,5432`.
 *
 * @throws Error if the address cannot be read. The message contains no part of the address, because
 * that may be a password.
 */
export function databaseHosts(address: string): readonly DatabaseHost[] {
  const [, scheme = "", authority = "", rest = ""] = ADDRESS.exec(address) ?? [];
  const at = authority.lastIndexOf("@") + 1;
  const places = authority.slice(at).split(",");
  const first = URL.parse(`${scheme}${authority.slice(0, at)}${places[0]}${rest}`);
  const isComplete = places.length === 1 || places.every((place) => place !== "");
  if (!first || !isComplete) throw new Error("the address has no readable list of hosts");
  const named = first.searchParams.get("host")?.split(",");
  if (named === undefined || named.length < 2) {
    return places.map((place) => hostOf(`${scheme}${authority.slice(0, at)}${place}${rest}`));
  }
  const ports = first.searchParams.get("port")?.split(",") ?? [];
  if (places.length > 1 || ports.length > named.length) {
    throw new Error("the address has two lists of hosts, or more ports than hosts");
  }
  return named.map((host, index) => {
    const url = new URL(first);
    url.searchParams.set("host", host);
    url.searchParams.set("port", ports[index] ?? ports[0] ?? PORT_DEFAULT);
    return hostOf(url.href);
  });
}

function hostOf(text: string): DatabaseHost {
  const url = URL.parse(text);
  if (!url) throw new Error("the address has an unreadable host or port");
  const host = url.searchParams.get("host") ?? url.hostname;
  const port = url.searchParams.get("port") ?? (url.port || PORT_DEFAULT);
  return { url: text, name: `${host}:${port}` };
}

/**
 * Returns whether payrun looks for the server that accepts writes: if the address has several
 * hosts, or says `target_session_attrs=read-write`, such as with a name that follows the primary.
 */
export function seeksPrimary(address: string): boolean {
  const [first, second] = databaseHosts(address);
  const wanted = first && new URL(first.url).searchParams.get("target_session_attrs");
  return second !== undefined || WRITABLE.has(wanted ?? "");
}

/** Returns whether payrun can use the address: it always needs the server that accepts writes. */
export function isDatabaseAddress(address: string): boolean {
  try {
    return databaseHosts(address).every(({ url }) => {
      const wanted = new URL(url).searchParams.get("target_session_attrs");
      return wanted === null || WRITABLE.has(wanted);
    });
  } catch {
    return false;
  }
}
