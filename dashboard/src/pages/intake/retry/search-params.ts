/** The filter of the retry page, as in the URL. */
interface RetrySearch {
  /** A reason code, or with the gateway's text. */
  readonly cause?: string;
  /** The line whose details are opened. */
  readonly line?: number;
}

/** Reads the filter of the retry page from the URL. */
export const retrySearch = ({ cause, line }: Record<string, unknown>): RetrySearch => ({
  ...(typeof cause === "string" && cause !== "" && { cause }),
  ...(Number.isSafeInteger(Number(line)) && Number(line) > 0 && { line: Number(line) }),
});
