/** How many wrong answers in a row cost nothing yet. An address may be that of a whole office. */
export const FREE_TRIES = { account: 4, address: 20 };
/** After so long without one, counting begins anew. */
export const FORGET_MS = 60 * 60_000;

const BASE_MS = 1_000;
const WAIT_MAX_MS = 60_000;

/** The wait after this many wrong answers: it doubles up to a minute, and shuts nobody out for good. */
export const waitAfter = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(BASE_MS * 2 ** Math.min(failures - free - 1, 30), WAIT_MAX_MS);
