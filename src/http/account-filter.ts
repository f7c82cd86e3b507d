import { cover } from "#batch/cover.ts";
import { audited } from "#flows/people/audited.ts";
import { bucketPerSender } from "#http/bucket.ts";
import type { Desk } from "#http/desk.ts";
import type { Person } from "#http/person.ts";
import { Problem } from "#http/problems.ts";
import type { Sealer } from "#ledger/sealed.ts";

const PLACE = "account filter";

/** An account as it may stand in an address: browsers, proxies and their logs keep those. */
export const sealAccount = (sealer: Sealer, account: string): string =>
  sealer.seal(account, PLACE).toString("base64url");

/** @throws Problem when it was not sealed here: an account in full has no place in an address. */
export function openAccount(sealer: Sealer, sealed: string): string {
  try {
    return sealer.open(Buffer.from(sealed, "base64url"), PLACE);
  } catch {
    const message = "not an account as POST /api/account-filters answers it";
    throw new Problem("invalid_request", { places: [{ place: "query.account", message }] });
  }
}

/** Enough for somebody who looks for payments of a person, and too few to guess the digits of an account. */
const RATE = { burst: 30, perSecond: 0.1 };

/** Each search by an account is limited, and on the audit log before anything is found. */
export function accountSearches({ database, clock }: Pick<Desk, "database" | "clock">) {
  const mayCome = bucketPerSender(RATE, () => clock.monotonicMs());
  /** @throws Problem when one person asks too often. */
  return async ({ actor }: Person, account: string): Promise<void> => {
    const isLimited = !mayCome(actor);
    const facts = { account: cover(account), refused: isLimited };
    await audited({ database, clock }, async () => ({
      value: null,
      line: { actor, action: "search_account", object: "payouts", facts },
    }));
    if (isLimited) throw new Problem("too_many_searches", {}, { "retry-after": "10" });
  };
}

/** @throws Problem when a list is asked for by an account by somebody who may not see accounts in full. */
export function refuseAccountFilter(person: Person): void {
  if (person.permissions.has("reveal")) return;
  throw new Problem("forbidden", {
    detail:
      "A list by account takes the permission reveal: whoever may try numbers can find out accounts that are covered. The last four digits (account_last4) are open to everybody who sees the list.",
  });
}
