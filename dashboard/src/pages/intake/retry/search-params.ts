/** The filter of the retry page, as in the URL. */
interface RetrySearch {
  /** A reason code, or with the gateway's text. */
  readonly cause?: string;
}

/** Reads the filter of the retry page from the URL. */
export const retrySearch = ({ cause }: Record<string, unknown>): RetrySearch =>
  typeof cause === "string" && cause !== "" ? { cause } : {};
