/**
 * The number of wrong answers in a row that cause no wait, and the longest wait after more of them.
 */
export interface TryLimit {
  readonly free: number;
  readonly waitMaxMs: number;
}

const MINUTE_MS = 60_000;

/**
 * Limits per group. Wider groups have higher limits and shorter waits, because more people share
 * them, and nobody may lock the others out. An attacker who tries an account from many networks
 * gets one try every two seconds, which the owner shares when signing in with a new browser.
 */
// biome-ignore format: the columns are the point
export const TRY_LIMITS = {
  address:  { free: 20,  waitMaxMs: MINUTE_MS },      // an IPv4 address or a /64: perhaps an office
  site:     { free: 100, waitMaxMs: 10_000 },         // an IPv4 /24 or a /48
  provider: { free: 400, waitMaxMs: 2_000 },          // a /32
  account:  { free: 4,   waitMaxMs: MINUTE_MS },      // from one site, or by one known browser
  anywhere: { free: 50,  waitMaxMs: 2_000 },          // an account, from all sites together
  code:     { free: 4,   waitMaxMs: 15 * MINUTE_MS }, // few possible codes; the password was right
} as const satisfies Readonly<Record<string, TryLimit>>;

/** Milliseconds without a wrong answer after which counting starts again. */
export const FORGET_AFTER_MS = 60 * MINUTE_MS;

const BASE_MS = 1_000;

/**
 * Returns the wait in milliseconds after this many wrong answers. It doubles up to its maximum, and
 * locks nobody out permanently.
 */
export const signInWaitMs = (failures: number, { free, waitMaxMs }: TryLimit): number =>
  failures <= free ? 0 : Math.min(BASE_MS * 2 ** Math.min(failures - free - 1, 30), waitMaxMs);

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

export interface Networks {
  /** One IPv4 address, or the /64 of an IPv6 address, in which every user has 2^64 addresses. */
  readonly address: string;
  /** The /24 of an IPv4 address; the /48 of an IPv6 address, which anybody can get for free. */
  readonly site: string;
  /** The /16 of an IPv4 address; the /32 of an IPv6 address, which requires a contract. */
  readonly provider: string;
}

/** Returns the networks of an IP address whose sign-in attempts are counted together. */
export function networksOf(address: string): Networks {
  const url = `http://[${address.split("%")[0]}]`;
  if (!URL.canParse(url)) return ipv4Networks(address);
  const written = new URL(url).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].map((part) => Number.parseInt(part, 16));
    return ipv4Networks(bytes.flatMap((pair) => [pair >> 8, pair & 255]).join("."));
  }
  const [head = [], tail = []] = written
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail];
  const prefix = (bits: number) => `${groups.slice(0, bits / 16).join(":")}::/${bits}`;
  return { address: prefix(64), site: prefix(48), provider: prefix(32) };
}

function ipv4Networks(address: string): Networks {
  const bytes = address.split(".");
  if (bytes.length !== 4) return { address, site: address, provider: address };
  const prefix = (bits: number) => `${bytes.slice(0, bits / 8).join(".")}.*/${bits}`;
  return { address, site: prefix(24), provider: prefix(16) };
}
