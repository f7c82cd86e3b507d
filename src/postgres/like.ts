/** Escapes a text for a `like` pattern, so that every character matches only itself. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
