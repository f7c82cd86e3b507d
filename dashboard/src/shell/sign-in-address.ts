/** Returns the address of the sign-in page, which continues at `from` after the sign-in. */
export const signInAddress = (from: string, more = {}): string =>
  `/login?${new URLSearchParams({ ...(from === "/" ? {} : { next: from }), ...more })}`;
