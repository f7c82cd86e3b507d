import type { Origin, PeopleDeps } from "#flows/people/deps.ts";
import { audited } from "#flows/people/audited.ts";
import { hashPassword, needsRehash, passwordFits } from "#flows/people/hash.ts";
import { browserKnown } from "#flows/people/known-browser.ts";
import { spendCode } from "#flows/people/second-factor.ts";
import { voidLinks } from "#ledger/people/links.ts";
import { endSessions, openSession, stepUpSession } from "#ledger/people/sessions.ts";
import { countTry, forgetTries, takeBackTry } from "#ledger/people/throttles.ts";
import { findAccount, renewHash, setPassword } from "#ledger/people/users.ts";
import { type PasswordProblem, passwordProblem } from "#people/password.ts";
import { STEP_UP_MS } from "#people/session.ts";
import { FREE_TRIES, networkOf } from "#people/throttle.ts";
import { err, ok, type Result } from "#result.ts";
import type { Secret } from "#secret.ts";

export type SignInRefusal =
  | { readonly kind: "wait"; readonly waitMs: number }
  | { readonly kind: "wrong" }
  /** The password is right, the code of the second factor is missing. */
  | { readonly kind: "code_required" };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** Opens a session. An account that is not there is refused in the same words, after the same work. */
export async function signIn(
  { email, password, code }: Credentials,
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret, SignInRefusal>> {
  const { database, sealer, clock } = deps;
  const at = new Date(clock.nowMs());
  // A browser that was let in before is counted by itself: others who guess make nobody wait who works here.
  const browser = browserKnown(origin.browser, email, sealer);
  const counted =
    browser === null
      ? ([
          ["address", networkOf(origin.address)],
          ["account", email.toLowerCase()],
        ] as const)
      : ([["account", `${email.toLowerCase()} ${browser}`]] as const);
  const tries = counted.map(([what, who]) => ({
    key: sealer.digest(`tries ${what} ${who}`),
    free: FREE_TRIES[what],
    what,
  }));
  for (const { key, free } of tries) {
    const waitMs = await countTry(database, key, free, at);
    if (waitMs > 0) return err({ kind: "wait", waitMs });
  }

  const user = await findAccount(database, { email });
  const fits = await passwordFits(password, user && !user.isDisabled ? user.password : null);
  if (!user || !fits) return wrong(user?.id ?? "unknown", origin, deps);
  if (user.hasTotp && code === undefined) {
    for (const { key } of tries) await takeBackTry(database, key, at);
    return err({ kind: "code_required" });
  }
  if (user.hasTotp && !(await spendCode({ userId: user.id, code: code ?? "" }, deps))) {
    return wrong(user.id, origin, deps);
  }
  for (const { key, what } of tries) {
    if (what === "address") await takeBackTry(database, key, at);
    else await forgetTries(database, key);
  }
  if (user.password !== null && needsRehash(user.password)) {
    const to = await hashPassword(password);
    await renewHash(database, user.id, { from: user.password, to });
  }
  return ok(await enter(user.id, origin, deps));
}

/** Opens a session for a user who has just been recognised. */
export const enter = (userId: string, origin: Origin, deps: PeopleDeps): Promise<Secret> =>
  audited(deps, async (transaction, at) => {
    const { id, token } = await openSession(transaction, { userId, ...origin, at });
    const facts = { session: id, address: origin.address };
    return {
      value: token,
      line: { actor: `user:${userId}`, action: "sign_in", object: id, facts },
    };
  });

const wrong = (object: string, { address }: Origin, deps: PeopleDeps) =>
  audited(deps, async () => ({
    value: err({ kind: "wrong" } as const),
    line: { actor: "nobody", action: "sign_in_refused", object, facts: { address } },
  }));

/** Proves once more who is there, for the next five minutes: by the second factor, or the password without one. */
export async function stepUp(
  proof: {
    readonly userId: string;
    readonly sessionId: string;
    readonly code?: string | undefined;
    readonly password?: string | undefined;
  },
  deps: PeopleDeps,
): Promise<Result<Date, SignInRefusal>> {
  const { database, sealer, clock } = deps;
  const { userId, sessionId, code, password } = proof;
  const user = await findAccount(database, { id: userId });
  if (user?.hasTotp && code === undefined) return err({ kind: "code_required" });

  const tries = sealer.digest(`tries step-up ${userId}`);
  const waitMs = await countTry(database, tries, FREE_TRIES.account, new Date(clock.nowMs()));
  if (waitMs > 0) return err({ kind: "wait", waitMs });
  const isProven = user?.hasTotp
    ? await spendCode({ userId, code: code ?? "" }, deps)
    : await passwordFits(password ?? "", user?.password ?? null);
  const actor = `user:${userId}`;
  if (!isProven) return wrongProof(actor, sessionId, deps);
  await forgetTries(database, tries);
  const until = new Date(clock.nowMs() + STEP_UP_MS);
  return audited(deps, async (transaction) => {
    await stepUpSession(transaction, sessionId, until);
    return { value: ok(until), line: { actor, action: "step_up", object: sessionId, facts: {} } };
  });
}

const wrongProof = (actor: string, object: string, deps: PeopleDeps) =>
  audited(deps, async () => ({
    value: err({ kind: "wrong" } as const),
    line: { actor, action: "step_up_refused", object, facts: {} },
  }));

/** Ends a session of one's own, this one or another. False: it has ended already, or is nobody's here. */
export const signOut = (
  {
    userId,
    sessionId: id,
    action,
  }: {
    readonly userId: string;
    readonly sessionId: string;
    readonly action: "sign_out" | "end_session";
  },
  deps: Pick<PeopleDeps, "database" | "clock">,
): Promise<boolean> =>
  audited(deps, async (transaction, at) => {
    const ended = await endSessions(transaction, { userId, id }, at);
    const line = { actor: `user:${userId}`, action, object: id, facts: {} };
    return { value: ended > 0, line: ended > 0 ? line : null };
  });

export type PasswordRefusal =
  | SignInRefusal
  | { readonly kind: "weak"; readonly why: PasswordProblem };

/** Every session and link of the user ends with the old password; the one who changed it enters anew. */
export async function changePassword(
  change: { readonly userId: string; readonly current: string; readonly password: string },
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret, PasswordRefusal>> {
  const { database, sealer, clock } = deps;
  const { userId, current, password } = change;
  const user = await findAccount(database, { id: userId });
  // Counted apart from the step-up: whoever knows the password forgets no wrong code by it.
  const tries = sealer.digest(`tries password ${userId}`);
  const waitMs = await countTry(database, tries, FREE_TRIES.account, new Date(clock.nowMs()));
  if (waitMs > 0) return err({ kind: "wait", waitMs });
  if (!user || !(await passwordFits(current, user.password))) {
    return wrongProof(`user:${userId}`, userId, deps);
  }
  await forgetTries(database, tries);
  const why = passwordProblem(password, user);
  if (why) return err({ kind: "weak", why });

  const hash = await hashPassword(password);
  await audited(deps, async (transaction, at) => {
    await setPassword(transaction, userId, hash);
    await endSessions(transaction, { userId }, at);
    await voidLinks(transaction, userId, at);
    const actor = `user:${userId}`;
    return { value: null, line: { actor, action: "password", object: userId, facts: {} } };
  });
  return ok(await enter(userId, origin, deps));
}
