import { ApiProblem } from "../../../server/client.ts";
import type { Acknowledgements } from "./acknowledgements.ts";
import type { ApprovalSheet } from "../queries.ts";

/** Errors caused by another person's action while the page was open. */
const OVERTAKEN_CODES = new Set(["wrong_state", "content_changed", "findings_not_acknowledged"]);

/** Whether a request was refused because another person acted while the page was open. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiProblem && OVERTAKEN_CODES.has(error.code);

/** A part of the decision about a batch. */
export interface Part {
  readonly sheet: ApprovalSheet;
  readonly acknowledgements: Acknowledgements;
  readonly reload: () => void;
  /** Shows the current state of the batch if that is why a request was refused; false otherwise. */
  readonly overtake: (error: unknown) => boolean;
}
