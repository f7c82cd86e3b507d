import { messages } from "../messages.tsx";

/** The total and caption of a batch. Only an approved batch is called approved. */
export const equationWords = (isApproved: boolean) =>
  isApproved ? messages.equation.approved : messages.equation.uploaded;
