/** SQLSTATEs of a question that is wrong itself; else the server is not there, or the tables are not made yet (42P01). */
const WRONG = /^(22|42)(?!P01)/;

/** What PostgreSQL answers to those who look at a campaign from outside; null: there is none at the moment. */
export const unlessAway = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && WRONG.test(String(error.code))) throw error;
    return null;
  });
