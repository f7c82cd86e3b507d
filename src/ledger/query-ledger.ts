import { setImmediate } from "node:timers/promises";
import type { LedgerParts } from "#ledger/ledger-parts.ts";
import { recordCallback } from "#ledger/payout/callbacks.ts";
import { GroupedClaims } from "#ledger/payout/grouped-claims.ts";
import * as queries from "#ledger/payout/status-queries.ts";
import { bind } from "#ledger/steps/bind.ts";

type Take = Parameters<typeof queries.claimStatusQueries>[1];

/** Creates the functions of status queries. Simultaneous claims of queries share a statement. */
export function queryFunctions({ database, asking }: LedgerParts) {
  const claims = new GroupedClaims((take: Take) => queries.claimStatusQueries(asking, take), {
    gather: setImmediate,
  });
  return {
    claimStatusQueries: (take: Take) => claims.add(take),
    ...bind([asking], {
      claimRepeatedCodeChecks: queries.claimRepeatedCodeChecks,
      scheduleRepeatedCodeCheck: queries.scheduleRepeatedCodeCheck,
      findStatusQuery: queries.findStatusQuery,
      makeStatusQueryDue: queries.makeStatusQueryDue,
    }),
    ...bind([database], { expireLeases: queries.expireLeases, recordCallback }),
  };
}
