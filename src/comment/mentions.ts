/** A user who can be mentioned. */
export interface MentionableUser {
  readonly id: string;
  readonly name: string;
}

/** The maximum length of a comment in characters. */
export const COMMENT_LENGTH_MAX = 2_000;

const WORD = /[\p{L}\p{N}\p{M}]/u;

/**
 * Returns the users whose names a text mentions as "@Name", each once. Letter case does not matter.
 * "@Chen Wei" mentions only Chen Wei, even if another user is called Chen.
 *
 * @example
 * ```ts
 * import { mentionsIn } from "#comment/mentions.ts";
 *
 * const users = [{ id: "US1", name: "Chen Wei" }];
 * console.log(mentionsIn("@chen wei, please check line 14", users).length); // → 1
 * ```
 */
export function mentionsIn<User extends MentionableUser>(
  text: string,
  users: readonly User[],
): User[] {
  const longestFirst = users.toSorted((left, right) => right.name.length - left.name.length);
  const found = new Set<User>();
  for (const { index } of text.matchAll(/@/g)) {
    if (WORD.test(text[index - 1] ?? "")) continue;
    const length = longestFirst.find(({ name }) => isAt(text, index + 1, name))?.name.length;
    const named = longestFirst.filter(
      ({ name }) => name.length === length && isAt(text, index + 1, name),
    );
    for (const user of named) found.add(user);
  }
  return [...found];
}

const isAt = (text: string, at: number, name: string): boolean =>
  text.slice(at, at + name.length).toLowerCase() === name.toLowerCase() &&
  !WORD.test(text[at + name.length] ?? "");
