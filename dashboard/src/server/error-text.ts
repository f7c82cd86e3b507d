import { ApiProblem, NoAnswer } from "./client.ts";
import { messages } from "../base/messages.ts";
import { problemText } from "../base/text.ts";

const texts = messages.errors;

/**
 * The text of an error. An unreadable answer proves nothing, so the text makes no statement about
 * money.
 */
export function errorText(error: unknown) {
  if (error instanceof ApiProblem) return problemText(error.document);
  const { title, detail } = error instanceof NoAnswer ? noAnswerText(error) : texts.pageFailed;
  return { title, detail, places: [], code: null };
}

const noAnswerText = ({ mayBeDone }: NoAnswer) =>
  mayBeDone ? texts.mayBeDone : texts.noConnection;
