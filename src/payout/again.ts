/**
 * A row goes into so many batches at most that pay it again, the cancelled ones counted: for each of them a frozen ledger
 * has a code to ask for.
 */
export const AGAIN_MAX = 2;
