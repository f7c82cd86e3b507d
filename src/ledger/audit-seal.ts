import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";
import type { Head } from "#operations/audit-head.ts";

/** The latest line of the audit log and its hash, as this machine saw them last, in which epoch of the ledger. */
export interface Checkpoint extends Head {
  readonly ledgerId: string;
  readonly epoch: number;
}

/** Where the checkpoint is saved outside of the database. */
export interface CheckpointStore {
  read(ledgerId: string): Promise<Checkpoint | null>;
  write(checkpoint: Checkpoint): Promise<void>;
}

/** For tests, and for ledgers whose process has no folder. */
const NO_CHECKPOINT: CheckpointStore = { read: async () => null, write: async () => {} };

/**
 * Carries what the audit log needs and the database does not hold: the keys of its hashes, and the latest hash that was saved
 * outside. A plugin goes with a connection into its transactions; it changes no query and no result.
 */
class AuditSeal implements KyselyPlugin {
  readonly sealer: Sealer;
  readonly checkpoint: CheckpointStore;

  constructor(sealer: Sealer, checkpoint: CheckpointStore) {
    this.sealer = sealer;
    this.checkpoint = checkpoint;
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

const sealIn = (database: Database): AuditSeal | undefined =>
  database.getExecutor().plugins.find((plugin) => plugin instanceof AuditSeal);

/** The same database, whose transactions can write on the audit log. One that can already is returned as it is. */
export const withAuditSeal = (
  database: Database,
  sealer: Sealer,
  checkpoint: CheckpointStore = NO_CHECKPOINT,
): Database =>
  sealIn(database) ? database : database.withPlugin(new AuditSeal(sealer, checkpoint));

/** @throws Error on a connection that was opened without the ledger's key. */
export function auditSealOf(database: Database): AuditSeal {
  const seal = sealIn(database);
  if (!seal) throw new Error("this connection does not carry the key of the audit log");
  return seal;
}
