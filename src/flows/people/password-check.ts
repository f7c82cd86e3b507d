import { estimateGuesses } from "#people/password-strength.ts";
import { type PasswordProblem, passwordProblem } from "#people/password.ts";

/**
 * Minimum number of guesses, as a power of ten. At the rate that sign-in permits, they take
 * centuries; with a stolen database, where each guess costs a fifth of a second of a core, decades
 * of one core.
 */
const GUESSES_MIN = 10;

/**
 * Returns why a password may not be used; null if it may. The rules are checked first: they take no
 * time and give clearer reasons.
 */
export async function checkPassword(
  password: string,
  user: { readonly email: string; readonly name: string },
): Promise<PasswordProblem | null> {
  const problem = passwordProblem(password, user);
  if (problem) return problem;
  const words = [user.email, ...user.email.split(/[@.]/), user.name, ...user.name.split(/\s+/)];
  const known = [...words, "payrun", "payout", "payroll"].filter((word) => word.length >= 3);
  const guesses = await estimateGuesses({ password: password.normalize("NFKC"), words: known });
  return guesses < GUESSES_MIN ? "too_common" : null;
}
