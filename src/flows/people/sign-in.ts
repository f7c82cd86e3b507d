import type { Origin, PeopleDeps } from "#flows/people/deps.ts";
import { withAudit } from "#flows/people/audited.ts";
import {
  hashPassword,
  needsRehash,
  verifyPassword,
  STRANGERS_AT_ONCE,
} from "#flows/people/password-hash.ts";
import { readBrowserToken } from "#flows/people/known-browser.ts";
import { checkPassword } from "#flows/people/password-check.ts";
import { useCode } from "#flows/people/second-factor.ts";
import { UnknownBrowserQueue } from "#flows/people/unknown-browser-queue.ts";
import { tryCountersOf } from "#flows/people/sign-in-attempts.ts";
import type { PasswordProblem } from "#people/password.ts";
import { type Proof, STEP_UP_MS } from "#people/session.ts";
import { networksOf, TRY_LIMITS } from "#people/sign-in-throttle.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { Secret } from "#base/secret.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";

export type SignInRefusal =
  | { readonly kind: "wait"; readonly waitMs: number }
  | { readonly kind: "wrong" }
  /** The password is correct, but the code of the second factor is missing. */
  | { readonly kind: "code_required" };

export type StepUpRefusal =
  | SignInRefusal
  /**
   * A role requires a second factor and the user has none: the password alone does not prove
   * enough.
   */
  | { readonly kind: "second_factor_required" };

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** Queue of sign-ins from unknown browsers. At most 16 wait: three seconds of work. */
const strangers = new UnknownBrowserQueue(STRANGERS_AT_ONCE, 16);
const TOO_MANY_WAIT_MS = 2_000;

/**
 * Signs a user in and opens a session. An account that does not exist is refused with the same
 * text, after the same work.
 */
export async function signIn(
  given: Credentials,
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret, SignInRefusal>> {
  const browser = readBrowserToken(origin.browser, given.email, deps.sealer);
  const networks = networksOf(origin.address);
  const tries = tryCountersOf(given.email, { networks, browser }, deps);
  if (browser !== null) return checkCredentials(given, tries, origin, deps);
  const leave = await strangers.enter(networks);
  if (!leave) return err({ kind: "wait", waitMs: TOO_MANY_WAIT_MS });
  try {
    return await checkCredentials(given, tries, origin, deps);
  } finally {
    leave();
  }
}

async function checkCredentials(
  { email, password, code }: Credentials,
  tries: ReturnType<typeof tryCountersOf>,
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret, SignInRefusal>> {
  const { ledger } = deps;
  const waitMs = await tries.password.count();
  if (waitMs > 0) return err({ kind: "wait", waitMs });

  const user = await ledger.people.findAccount({ email });
  const fits = await verifyPassword(password, user && !user.isDisabled ? user.password : null);
  if (!user || !fits) return auditWrongSignIn(user?.id ?? "unknown", origin, deps);
  if (user.hasTotp && code === undefined) {
    await tries.password.takeBack();
    return err({ kind: "code_required" });
  }
  if (user.hasTotp) {
    const codeWaitMs = await tries.code.count();
    if (codeWaitMs > 0) return err({ kind: "wait", waitMs: codeWaitMs });
    const isRight = await useCode(
      { userId: user.id, code: code ?? "", address: origin.address },
      deps,
    );
    if (!isRight) return auditWrongSignIn(user.id, origin, deps);
    await tries.code.wasRight();
  }
  await tries.password.wasRight();
  if (user.password !== null && needsRehash(user.password)) {
    const to = await hashPassword(password);
    await ledger.people.renewHash(user.id, { from: user.password, to });
  }
  return ok(await openSessionFor(user.id, { ...origin, proof: proofOf(user) }, deps));
}

/** The strongest proof that the user has, which both a sign-in and a step-up require. */
const proofOf = ({ hasTotp }: { readonly hasTotp: boolean }): Proof =>
  hasTotp ? "second_factor" : "password";

/**
 * Opens a session for a user who has just been authenticated. For the next five minutes, `proof`
 * counts as a step-up. Null: the user gave less than their step-up requires.
 */
export const openSessionFor = (
  userId: string,
  origin: Origin & { readonly proof: Proof | null },
  deps: PeopleDeps,
): Promise<Secret> =>
  withAudit(deps, async (transaction, at) => {
    const { id, token } = await transaction.people.openSession({ userId, ...origin, at });
    const facts = { session: id, address: origin.address };
    return {
      value: token,
      line: { actor: `user:${userId}`, action: "sign_in", object: id, facts },
    };
  });

const auditWrongSignIn = (object: string, { address }: Origin, deps: PeopleDeps) =>
  withAudit(deps, async () => ({
    value: err({ kind: "wrong" } as const),
    line: { actor: "nobody", action: "sign_in_refused", object, facts: { address } },
  }));

/**
 * Authenticates the user once more, for the next five minutes: by the second factor, or by the
 * password if there is none.
 */
export async function stepUp(
  proof: {
    readonly userId: string;
    readonly sessionId: string;
    /** The network address of the request. */
    readonly address: string;
    readonly code?: string | undefined;
    readonly password?: string | undefined;
  },
  deps: PeopleDeps,
): Promise<Result<Date, StepUpRefusal>> {
  const { ledger, sealer, clock } = deps;
  const { userId, sessionId, address, code, password } = proof;
  const user = await ledger.people.findAccount({ id: userId });
  if (user?.hasTotp && code === undefined) return err({ kind: "code_required" });
  if (!user?.hasTotp && (await ledger.people.isFactorRequired(userId))) {
    return err({ kind: "second_factor_required" });
  }

  const tries = sealer.digest(`tries step-up ${userId}`);
  const waitMs = await ledger.people.countTry(tries, TRY_LIMITS.account, new Date(clock.nowMs()));
  if (waitMs > 0) return err({ kind: "wait", waitMs });
  const isProven = user?.hasTotp
    ? await useCode({ userId, code: code ?? "", address }, deps)
    : await verifyPassword(password ?? "", user?.password ?? null);
  const actor = `user:${userId}`;
  if (!isProven) return auditWrongProof(actor, sessionId, deps);
  await ledger.people.deleteTries(tries);
  const until = new Date(clock.nowMs() + STEP_UP_MS);
  return withAudit(deps, async (transaction) => {
    const by = proofOf({ hasTotp: user?.hasTotp ?? false });
    await transaction.people.stepUpSession(sessionId, { until, by });
    const line: AuditLine = { actor, action: "step_up", object: sessionId, facts: { by } };
    return { value: ok(until), line };
  });
}

const auditWrongProof = (actor: string, object: string, deps: PeopleDeps) =>
  withAudit(deps, async () => ({
    value: err({ kind: "wrong" } as const),
    line: { actor, action: "step_up_refused", object, facts: {} },
  }));

/**
 * Ends one of the user's own sessions, this one or another. Returns false if it has already ended,
 * or is not theirs.
 */
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
  deps: Pick<PeopleDeps, "ledger" | "clock">,
): Promise<boolean> =>
  withAudit(deps, async (transaction, at) => {
    const ended = await transaction.people.endSessions({ userId, id }, at);
    const line: AuditLine = { actor: `user:${userId}`, action, object: id, facts: {} };
    return { value: ended > 0, line: ended > 0 ? line : null };
  });

export type PasswordRefusal =
  | SignInRefusal
  | { readonly kind: "weak"; readonly why: PasswordProblem };

/**
 * Changes the password. All sessions and links of the user end; the person who changed it gets a
 * new session.
 */
export async function changePassword(
  change: { readonly userId: string; readonly current: string; readonly password: string },
  origin: Origin,
  deps: PeopleDeps,
): Promise<Result<Secret, PasswordRefusal>> {
  const { ledger, sealer, clock } = deps;
  const { userId, current, password } = change;
  const user = await ledger.people.findAccount({ id: userId });
  // Counted separately from the step-up: a correct password must not clear the wrong codes.
  const tries = sealer.digest(`tries password ${userId}`);
  const waitMs = await ledger.people.countTry(tries, TRY_LIMITS.account, new Date(clock.nowMs()));
  if (waitMs > 0) return err({ kind: "wait", waitMs });
  if (!user || !(await verifyPassword(current, user.password))) {
    return auditWrongProof(`user:${userId}`, userId, deps);
  }
  await ledger.people.deleteTries(tries);
  const why = await checkPassword(password, user);
  if (why) return err({ kind: "weak", why });

  const hash = await hashPassword(password);
  await withAudit(deps, async (transaction, at) => {
    await transaction.people.setPassword(userId, hash);
    await transaction.people.endSessions({ userId }, at);
    await transaction.people.voidLinks(userId, at);
    const actor = `user:${userId}`;
    const facts = { address: origin.address };
    return { value: null, line: { actor, action: "password", object: userId, facts } };
  });
  // The code of a second factor was not asked for.
  const proof = user.hasTotp ? null : "password";
  return ok(await openSessionFor(userId, { ...origin, proof }, deps));
}
