import { maskText } from "#intake/masking.ts";
import { withAudit } from "#flows/people/audited.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";

/** Enough to look for a person's payments, and too few to guess the digits of an account. */
const RATE = { burst: 30, perSecond: 0.1 };

/**
 * Limits searches by account per user, and records each on the audit log before anything is
 * searched.
 */
export function accountSearches({ ledger, clock }: Pick<ServerDeps, "ledger" | "clock">) {
  const mayCome = bucketPerSender(RATE, () => clock.monotonicMs());
  /** @throws Problem when one person searches too often. */
  return async ({ actor }: Person, account: string): Promise<void> => {
    const isLimited = !mayCome(actor);
    const facts = { account: maskText(account), refused: isLimited };
    await withAudit({ ledger, clock }, async () => ({
      value: null,
      line: { actor, action: "search_account", object: "payouts", facts },
    }));
    if (isLimited) throw new Problem("too_many_searches", {}, { "retry-after": "10" });
  };
}

/** @throws Problem when a person who may not see full accounts filters a list by account. */
export function refuseAccountFilter(person: Person): void {
  if (person.permissions.has("reveal")) return;
  throw new Problem("forbidden", {
    detail:
      "Filtering by account requires the reveal permission, because guessing numbers could reveal masked accounts. Anyone who can see the list can filter by the last four digits (account_last4).",
  });
}
