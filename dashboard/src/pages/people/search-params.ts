/** The page after the sign-in, and whether the last session has ended, from the page address. */
export interface LoginSearch {
  readonly next?: string;
  readonly ended?: true;
}

/** Keeps the known parameters of a page address. */
export const loginSearch = ({ next, ended }: Record<string, unknown>): LoginSearch => ({
  ...(typeof next === "string" ? { next } : {}),
  ...(ended ? { ended: true } : {}),
});
