/** How the values of a payout are written: `raw` is name=value without escaping, `any` carries every value. */
export type Carries = "raw" | "any";

/** The signs that mean something in a name=value text, as people are told of them. */
export const RAW_SIGNS = "& = % +";

/** What a raw value cannot hold: nobody knows how the gateway would read it (docs/gateway.md 2.2). */
export const RAW_SIGN = /[&=%+]/;

/** The same, and what would break the text into lines or cannot be seen in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const NOT_RAW = /[&=%+\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Printable ASCII without the signs. Nearly every value is this and needs no closer look. */
export const CARRIED_BY_ALL = /^[ !"#$'-*,-<>-~]*$/;
