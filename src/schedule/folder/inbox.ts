import type { Result } from "#base/result.ts";

/** A file in a place where files for a schedule arrive. */
export interface ArrivedFile {
  readonly name: string;
  /** Changes when the file is written to, replaced or renamed. */
  readonly identity: string;
  readonly bytes: number;
  /** By the clock of the file's location. A user who puts a file there cannot set it. */
  readonly arrivedAt: Date;
  /** Why the file cannot be uploaded. Null: it can. */
  readonly whyNot: string | null;
}

/** A place where files arrive, wherever it is. */
export interface Inbox {
  /**
   * Lists the files, complete or not. Returns an Err with a sentence that states why they cannot be
   * listed.
   */
  list(): Promise<Result<readonly ArrivedFile[], string>>;
  /**
   * Reads the bytes of a file from the beginning.
   *
   * @throws Unreadable, also if it is no longer the file that was listed.
   */
  open(file: ArrivedFile): AsyncIterable<Uint8Array>;
  /** Removes a file from the list of `look`, and gives it a name that states its result. */
  moveAway(file: ArrivedFile, where: "done" | "failed", label: string): Promise<void>;
  /** Writes a file with the results of a batch. A reader sees the earlier version or this one. */
  writeResult(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void>;
}

/** States why a file cannot be read. */
export class UnreadableFile extends Error {}

/**
 * Opens the place of this name. Returns an Err with a sentence that states why it cannot be opened.
 */
export type OpenInbox = (name: string) => Promise<Result<Inbox, string>>;
