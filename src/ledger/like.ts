/** The text as it stands, inside a pattern of `like`: no sign of it means any other. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
