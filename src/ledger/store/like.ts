/** Escapes a text for a `like` pattern, so that every character stands for itself. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
