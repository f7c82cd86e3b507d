import type { FileInterpretation } from "#intake/file-interpretation.ts";
import type { Problem } from "#intake/text/problems.ts";

/** How the file of a batch was read, as the ledger stores it. */
export interface BatchFacts {
  readonly header: readonly string[];
  readonly encoding: string;
  readonly delimiter: string;
  /** Findings about the file as a whole. */
  readonly notes: readonly Problem[];
  /** The choices by which the file was read. Absent: a batch from before version 1.1. */
  readonly reading?: FileInterpretation;
}
