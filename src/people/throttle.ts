/** How many wrong answers in a row cost nothing yet. An address may be that of a whole office. */
export const FREE_TRIES = { account: 4, address: 20 };
/** After so long without one, counting begins anew. */
export const FORGET_MS = 60 * 60_000;

const BASE_MS = 1_000;
const WAIT_MAX_MS = 60_000;

/** The wait after this many wrong answers: it doubles up to a minute, and shuts nobody out for good. */
export const waitAfter = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(BASE_MS * 2 ** Math.min(failures - free - 1, 30), WAIT_MAX_MS);

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** Who is counted by their address: one IPv4 address, or the /64 of an IPv6 address, in which everybody has 2^64. */
export function networkOf(address: string): string {
  const url = `http://[${address.split("%")[0]}]`;
  if (!URL.canParse(url)) return address;
  const written = new URL(url).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].map((part) => Number.parseInt(part, 16));
    return bytes.flatMap((pair) => [pair >> 8, pair & 255]).join(".");
  }
  const [head = [], tail = []] = written
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
