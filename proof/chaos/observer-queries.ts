/**
 * SQLSTATEs of a wrong query. Any other means that the server is unavailable or the tables do not
 * exist yet (42P01).
 */
const QUERY_ERRORS = /^(22|42)(?!P01)/;

/** PostgreSQL's answers to observers of a campaign. Null: unavailable at the moment. */
export const nullIfUnavailable = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && QUERY_ERRORS.test(String(error.code)))
      throw error;
    return null;
  });
