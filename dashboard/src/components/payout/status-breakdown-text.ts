import { messages } from "../messages.tsx";

/** The total and caption of a batch. Only an approved batch is called approved. */
export const breakdownTexts = (isApproved: boolean) =>
  isApproved ? messages.equation.approved : messages.equation.uploaded;
