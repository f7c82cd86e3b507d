import { CliError, EXIT } from "#cli/terminal/exit.ts";

/**
 * Returns the ID of the user with this ID or name.
 *
 * @throws CliError if no user, or more than one, has this name.
 */
export function userAmong(
  name: string,
  users: readonly { readonly id: string; readonly name: string }[],
): string {
  const wanted = name.toLowerCase();
  const found = users.filter((user) => user.id === name || user.name.toLowerCase() === wanted);
  const [user, ...others] = found;
  if (user && others.length === 0) return user.id;
  const known = (found.length > 0 ? found : users).map((each) => `${each.id} (${each.name})`);
  const list = known.length > 0 ? ` Users: ${known.join(", ")}.` : "";
  throw new CliError(
    user ? EXIT.usage : EXIT.notFound,
    `${user ? "Several users have" : "No user has"} the ID or name ${name}.${list} No changes were made.`,
  );
}
