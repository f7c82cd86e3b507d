/** A reason why a camt.053 file, or one of its entries, cannot be read. */
export interface CamtProblem {
  readonly line: number | null;
  /** Path of the element in the statement, such as "Ntry/Amt". Null: the whole file. */
  readonly column: string | null;
  readonly message: string;
  readonly expected: string;
  readonly found: string | null;
}

/** Thrown when the file cannot be read any further. */
export class CamtRefused extends Error {
  readonly problem: CamtProblem;

  constructor(problem: CamtProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
