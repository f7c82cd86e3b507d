import { eraseData, previewErasure } from "#ledger/erasure/erase-data.ts";
import {
  decideErasure,
  findPersonOf,
  findErasure,
  findErasures,
  insertErasure,
} from "#ledger/erasure/erasures.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Steps of the erasure of people. */
export const erasureSteps = (database: Database, sealer: Sealer) => ({
  ...bind([database], { insertErasure, findErasures, findErasure, decideErasure, findPersonOf }),
  ...bind([database, sealer], { previewErasure, eraseData }),
});
export type ErasureSteps = ReturnType<typeof erasureSteps>;
