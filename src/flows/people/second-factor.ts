import { randomBytes } from "node:crypto";
import { Secret as OtpSecret, TOTP } from "otpauth";
import { withAudit } from "#flows/people/audited.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";

const PERIOD_S = 30;
const CODES = 10;

const totpOf = (secret: OtpSecret, label = ""): TOTP =>
  new TOTP({ issuer: "payrun", label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_S });
const secretPlace = (userId: string): string => `users.totp ${userId}`;
const enrolmentPlace = (userId: string, sessionId: string): string =>
  `pending totp ${userId} ${sessionId}`;

/**
 * Creates the secret of a new second factor. It is sealed, so that the secret that comes back is
 * known to be our own.
 */
export function beginTotp(
  user: { readonly id: string; readonly email: string; readonly sessionId: string },
  { sealer }: PeopleDeps,
): { readonly uri: string; readonly secret: string; readonly enrolment: string } {
  const secret = new OtpSecret({ size: 20 });
  return {
    uri: totpOf(secret, user.email).toString(),
    secret: secret.base32,
    enrolment: sealer
      .seal(secret.base32, enrolmentPlace(user.id, user.sessionId))
      .toString("base64url"),
  };
}

/**
 * Stores the second factor after a correct code. Returns the recovery codes; null if the code is
 * wrong.
 */
export async function confirmTotp(
  {
    userId,
    sessionId,
    enrolment,
    code,
  }: { userId: string; sessionId: string; enrolment: string; code: string },
  { ledger, sealer, clock }: PeopleDeps,
): Promise<readonly string[] | null> {
  const base32 = opened(() =>
    sealer.open(Buffer.from(enrolment, "base64url"), enrolmentPlace(userId, sessionId)),
  );
  if (base32 === null) return null;
  const step = stepOf(code, OtpSecret.fromBase32(base32), clock.nowMs());
  if (step === null) return null;
  const codes = Array.from({ length: CODES }, recoveryCode);
  const at = new Date(clock.nowMs());
  await ledger.transaction(async (transaction) => {
    const replaced = (await transaction.people.findSealedTotp(userId)) !== null;
    await transaction.people.storeTotp({
      userId,
      sealed: sealer.seal(base32, secretPlace(userId)),
      step,
      recovery: codes.map((each) => sealer.digest(recoveryText(userId, each))),
    });
    const ended = await transaction.people.endOtherSessions({ userId, sessionId }, at);
    const actor = `user:${userId}`;
    const facts = { replaced, sessions_ended: ended };
    await transaction.integrity.appendAudit(at, {
      actor,
      action: "totp_on",
      object: userId,
      facts,
    });
  });
  return codes;
}

/**
 * Removes the second factor. Returns false if a role requires it. A user who lost the device gets a
 * new link from an admin; registering a new device replaces the old one.
 */
export async function dropTotp(
  {
    userId,
    sessionId,
    actor,
  }: { readonly userId: string; readonly sessionId: string; readonly actor: string },
  { ledger, clock }: PeopleDeps,
): Promise<boolean> {
  const at = new Date(clock.nowMs());
  return ledger.transaction(async (transaction) => {
    if (await transaction.people.isFactorRequired(userId)) return false;
    await transaction.people.removeTotp(userId);
    // A link that relied on the second factor would otherwise let its holder in without one.
    await transaction.people.voidLinks(userId, at);
    const ended = await transaction.people.endOtherSessions({ userId, sessionId }, at);
    const facts = { sessions_ended: ended };
    await transaction.integrity.appendAudit(at, {
      actor,
      action: "totp_off",
      object: userId,
      facts,
    });
    return true;
  });
}

/**
 * Returns whether the code proves the user's identity: a code of the device, or a recovery code.
 * Each can be used once.
 */
export async function useCode(
  {
    userId,
    code,
    address,
  }: { readonly userId: string; readonly code: string; readonly address: string },
  { ledger, sealer, clock }: PeopleDeps,
): Promise<boolean> {
  const text = code.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!/^\d{6}$/.test(text)) {
    const digest = sealer.digest(recoveryText(userId, text));
    return withAudit({ ledger, clock }, async (transaction, at) => {
      const isSpent = await transaction.people.useRecoveryCode({ userId, digest, at });
      const actor = `user:${userId}`;
      const line: AuditLine = {
        actor,
        action: "recovery_code_used",
        object: userId,
        facts: { address },
      };
      return { value: isSpent, line: isSpent ? line : null };
    });
  }
  const sealed = await ledger.people.findSealedTotp(userId);
  if (!sealed) return false;
  const secret = OtpSecret.fromBase32(sealer.open(sealed, secretPlace(userId)));
  const step = stepOf(text, secret, clock.nowMs());
  return step !== null && ledger.people.useTotpStep({ userId, step });
}

/**
 * Returns the time step of a code that is at most one step early or late; null if the code is
 * wrong.
 */
function stepOf(code: string, secret: OtpSecret, nowMs: number): number | null {
  const token = code.replaceAll(/\s/g, "");
  const delta = totpOf(secret).validate({ token, timestamp: nowMs, window: 1 });
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
}

/** Letters and digits that cannot be mistaken for each other. A recovery code has fifty bits. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
function recoveryCode(): string {
  const text = [...randomBytes(10)].map((byte) => ALPHABET[byte & 31]).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}
const recoveryText = (userId: string, code: string): string =>
  `recovery ${userId} ${code.replaceAll("-", "")}`;

function opened(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}
