/**
 * Encoding of the values of a payout: `raw` is name=value without escaping, `any` can carry every
 * value.
 */
export type Carries = "raw" | "any";

/**
 * The text that the gateway and its documents write for an empty value, so no value can be this
 * text (gateway.md 2.2).
 */
export const NULL_TEXT = "null";

/** The characters with a meaning in a name=value text, as shown to people. */
export const RAW_SIGNS = "& = % +";

/**
 * A character that a raw value cannot contain: it is unknown how the gateway would read it
 * (docs/reference/gateway.md 2.2).
 */
export const RAW_SIGN = /[&=%+]/;

/** The same, and characters that are invisible or would break the text into lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
export const NOT_RAW = /[&=%+\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Printable ASCII without these characters. Nearly every value matches and needs no further check.
 */
export const CARRIED_BY_ALL = /^[ !"#$'-*,-<>-~]*$/;
