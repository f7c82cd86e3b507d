/** A row is paid again so often at most, counted from the payout of its file. */
export const AGAIN_MAX = 2;
