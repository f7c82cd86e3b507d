import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { AuditPosition } from "#integrity/audit-checkpoint.ts";

/**
 * The latest line of the audit log and its hash, with the ledger's epoch, as this machine saw them
 * last.
 */
export interface Checkpoint extends AuditPosition {
  readonly ledgerId: string;
  readonly epoch: number;
}

/** The part of the audit log that this machine has verified, from its first line on. */
export interface VerifiedLog extends Checkpoint {
  /** The oldest key that may sign the next line. */
  readonly keyMin: number;
  /** The complete subtrees of the Merkle tree, with digests in hexadecimal. */
  readonly blocks: readonly {
    readonly from: number;
    readonly to: number;
    readonly digest: string;
  }[];
  /** When the whole log was last read: ISO 8601. */
  readonly wholeAt: string;
}

/** Storage for the checkpoint and the verified part of the log outside the database. */
export interface CheckpointStore {
  read(ledgerId: string): Promise<Checkpoint | null>;
  write(checkpoint: Checkpoint): Promise<void>;
  readVerified(ledgerId: string): Promise<VerifiedLog | null>;
  writeVerified(verified: VerifiedLog): Promise<void>;
}

/** Checkpoint store for tests, and for processes without a data folder. */
const NO_CHECKPOINT: CheckpointStore = {
  read: async () => null,
  write: async () => {},
  readVerified: async () => null,
  writeVerified: async () => {},
};

/**
 * Carries what the audit log needs and the database does not hold: the keys of the hashes, and the
 * checkpoint saved outside. As a Kysely plugin it follows a connection into its transactions. It
 * changes no query and no result.
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

/**
 * Returns the same database, whose transactions can write to the audit log. A database that already
 * can is returned unchanged.
 */
export const withAuditSeal = (
  database: Database,
  sealer: Sealer,
  checkpoint: CheckpointStore = NO_CHECKPOINT,
): Database =>
  sealIn(database) ? database : database.withPlugin(new AuditSeal(sealer, checkpoint));

/**
 * Returns the audit seal of a connection.
 *
 * @throws Error on a connection that was opened without the ledger's key.
 */
export function auditSealOf(database: Database): AuditSeal {
  const seal = sealIn(database);
  if (!seal) throw new Error("this connection has no key for the audit log");
  return seal;
}
