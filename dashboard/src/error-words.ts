import { ApiProblem, NoAnswer } from "./client.ts";
import { problemWords } from "./words.ts";

/** What is told of an error. Of money it says nothing: what could not be read proves nothing. */
export function errorWords(error: unknown) {
  if (error instanceof ApiProblem) return problemWords(error.document);
  const [title, detail] = error instanceof NoAnswer ? silence(error) : FAILED;
  return { title, detail, places: [], code: null };
}

const silence = ({ mayBeDone }: NoAnswer) =>
  mayBeDone
    ? ([
        "No answer: it may have been done",
        "The server did not answer. Whether it was done is not known: load the page again, and look, before you do it once more.",
      ] as const)
    : ([
        "No connection",
        "The server did not answer. Payouts are not harmed: they are sent by the workers, not by this page. Try again in a moment.",
      ] as const);

const FAILED = [
  "The page could not be shown",
  "This page failed. Load it again, and look at what it shows before you do anything once more; if it fails again, tell whoever runs payrun.",
] as const;
