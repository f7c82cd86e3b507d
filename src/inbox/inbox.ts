import type { Result } from "#result.ts";

/** A file that lies in a place where files for a schedule arrive. */
export interface Arrived {
  readonly name: string;
  /** Another one as soon as it is written on, replaced or renamed. */
  readonly identity: string;
  readonly bytes: number;
  /** By the clock of where it lies; nobody who brings a file can set it. */
  readonly arrivedAt: Date;
  /** Why it cannot be taken in; null: it can. */
  readonly whyNot: string | null;
}

/** A place where files arrive, wherever it is. */
export interface Inbox {
  /** What lies there now, whole or not. An Err says in words why that is not known. */
  look(): Promise<Result<readonly Arrived[], string>>;
  /** Its bytes from the beginning. @throws Unreadable, also where it is not the file any more that was seen. */
  open(file: Arrived): AsyncIterable<Uint8Array>;
  /** Takes it out of what `look` finds, under a name that tells what became of it. */
  putAway(file: Arrived, where: "done" | "failed", label: string): Promise<void>;
}

/** Says in words why a file cannot be read. */
export class Unreadable extends Error {}

/** The place of this name. An Err says in words why there is none. */
export type OpenInbox = (name: string) => Promise<Result<Inbox, string>>;
