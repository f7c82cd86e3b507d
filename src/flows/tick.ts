import { type ReleaseDeps, releaseDue } from "#flows/release.ts";

/** Does what has come due. Twice at once, late or not at all for a while: the ledger knows what was done. */
export const tick = (deps: ReleaseDeps): Promise<void> => releaseDue(deps);
