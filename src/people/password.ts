const PASSWORD_MIN = 15;
const PASSWORD_MAX = 128;

/** The reasons for which a password is refused. */
export const PASSWORD_PROBLEMS = [
  "too_short",
  "too_long",
  "too_plain",
  "too_common",
  "about_you",
] as const;

export type PasswordProblem = (typeof PASSWORD_PROBLEMS)[number];

/**
 * Words on which most guesses are based. A password that is such a word with digits and signs
 * around it is refused.
 */
const COMMON = new Set(
  `password passwort passw0rd passphrase qwerty qwertyuiop qwertzuiop asdfghjkl zxcvbnm iloveyou letmein welcome
  admin administrator login master monkey dragon football baseball basketball superman batman princess sunshine
  shadow starwars trustno computer internet whatever michael jennifer jordan charlie thomas summer winter spring
  autumn secret secretpassword mypassword newpassword changeme default qazwsx qazwsxedc abcdefghijkl abcdefgh
  liverpool chelsea arsenal manchester pokemon samsung google facebook linkedin hello helloworld test testing
  correcthorsebatterystaple payrun payroll payout payouts finance money bank company`.split(/\s+/),
);

/**
 * Returns why a password is refused; null: it may be used. No rule requires signs or capitals: only
 * length and resistance to guessing count.
 */
export function passwordProblem(
  password: string,
  user: { readonly email: string; readonly name: string },
): PasswordProblem | null {
  if ([...password].length < PASSWORD_MIN) return "too_short";
  if (password.length > PASSWORD_MAX) return "too_long";
  const plain = password.normalize("NFKC").toLowerCase();
  if (new Set(plain).size < 5 || isRun(plain)) return "too_plain";
  const core = letters(plain);
  // One common word, or several in a row: "passwordpassword1".
  if (core === "" || COMMON.has(core) || isMadeOf(core, COMMON)) return "too_common";
  const [local = ""] = user.email.toLowerCase().split("@");
  const own = [user.email.toLowerCase(), local, user.name.toLowerCase().replaceAll(/\s/g, "")];
  return own.some((word) => plain === word || (word.length >= 4 && core === letters(word)))
    ? "about_you"
    : null;
}

/**
 * Reduces a text to its letters. Digits and signs that people write for letters are read as
 * letters.
 */
const letters = (text: string): string =>
  text
    .replaceAll("@", "a")
    .replaceAll(/(?<=\p{L})0(?=\p{L})/gu, "o")
    .replaceAll("$", "s")
    .replaceAll(/[^\p{L}]/gu, "");

/**
 * Returns whether nearly all characters are neighbours of the previous one: 123456789012,
 * abcdefghijkl.
 */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((each, at) => each.charCodeAt(0) - text.charCodeAt(at));
  const near = steps.filter((step) => Math.abs(step) <= 1 || step === -9);
  return near.length >= steps.length - 1;
}

const isMadeOf = (text: string, words: ReadonlySet<string>): boolean =>
  text === "" ||
  [...words].some((word) => text.startsWith(word) && isMadeOf(text.slice(word.length), words));
