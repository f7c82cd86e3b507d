import { randomBytes } from "node:crypto";
import { Secret as OtpSecret, TOTP } from "otpauth";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { appendAudit } from "#ledger/audit.ts";
import { voidLinks } from "#ledger/people/links.ts";
import { endOtherSessions } from "#ledger/people/sessions.ts";
import {
  keepTotp,
  removeTotp,
  sealedTotp,
  spendRecoveryCode,
  spendTotpStep,
} from "#ledger/people/second-factors.ts";

const PERIOD_S = 30;
const CODES = 10;

const totpOf = (secret: OtpSecret, label = ""): TOTP =>
  new TOTP({ issuer: "payrun", label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_S });
const place = (userId: string): string => `users.totp ${userId}`;
const pending = (userId: string): string => `pending totp ${userId}`;

/** What a code is to be the second factor of; sealed, so that what comes back is a secret that we drew. */
export function beginTotp(
  user: { readonly id: string; readonly email: string },
  { sealer }: PeopleDeps,
): { readonly uri: string; readonly secret: string; readonly enrolment: string } {
  const secret = new OtpSecret({ size: 20 });
  return {
    uri: totpOf(secret, user.email).toString(),
    secret: secret.base32,
    enrolment: sealer.seal(secret.base32, pending(user.id)).toString("base64url"),
  };
}

/** Keeps the second factor once a code of it was shown. Returns the recovery codes; null: the code does not fit. */
export async function confirmTotp(
  {
    userId,
    sessionId,
    enrolment,
    code,
  }: { userId: string; sessionId: string; enrolment: string; code: string },
  { database, sealer, clock }: PeopleDeps,
): Promise<readonly string[] | null> {
  const base32 = opened(() => sealer.open(Buffer.from(enrolment, "base64url"), pending(userId)));
  if (base32 === null) return null;
  const step = stepOf(code, OtpSecret.fromBase32(base32), clock.nowMs());
  if (step === null) return null;
  const codes = Array.from({ length: CODES }, recoveryCode);
  const at = new Date(clock.nowMs());
  await database.transaction().execute(async (transaction) => {
    await keepTotp(transaction, {
      userId,
      sealed: sealer.seal(base32, place(userId)),
      step,
      recovery: codes.map((each) => sealer.digest(recoveryText(userId, each))),
    });
    const ended = await endOtherSessions(transaction, { userId, sessionId }, at);
    const actor = `user:${userId}`;
    const facts = { sessions_ended: ended };
    await appendAudit(transaction, at, { actor, action: "totp_on", object: userId, facts });
  });
  return codes;
}

export async function dropTotp(
  {
    userId,
    sessionId,
    actor,
  }: { readonly userId: string; readonly sessionId: string; readonly actor: string },
  { database, clock }: PeopleDeps,
): Promise<void> {
  const at = new Date(clock.nowMs());
  await database.transaction().execute(async (transaction) => {
    await removeTotp(transaction, userId);
    // One that asked for the second factor would let its holder in without it.
    await voidLinks(transaction, userId, at);
    const ended = await endOtherSessions(transaction, { userId, sessionId }, at);
    const facts = { sessions_ended: ended };
    await appendAudit(transaction, at, { actor, action: "totp_off", object: userId, facts });
  });
}

/** Whether the code proves the user: one of the device, or a recovery code. Either counts once. */
export async function spendCode(
  { userId, code }: { readonly userId: string; readonly code: string },
  { database, sealer, clock }: PeopleDeps,
): Promise<boolean> {
  const text = code.replaceAll(/[\s-]/g, "").toUpperCase();
  if (!/^\d{6}$/.test(text)) {
    const digest = sealer.digest(recoveryText(userId, text));
    return spendRecoveryCode(database, { userId, digest, at: new Date(clock.nowMs()) });
  }
  const sealed = await sealedTotp(database, userId);
  if (!sealed) return false;
  const secret = OtpSecret.fromBase32(sealer.open(sealed, place(userId)));
  const step = stepOf(text, secret, clock.nowMs());
  return step !== null && spendTotpStep(database, { userId, step });
}

/** The step of a code that is at most one step early or late. */
function stepOf(code: string, secret: OtpSecret, nowMs: number): number | null {
  const token = code.replaceAll(/\s/g, "");
  const delta = totpOf(secret).validate({ token, timestamp: nowMs, window: 1 });
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
}

/** Fifty bits, in letters that cannot be mistaken for each other. */
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
