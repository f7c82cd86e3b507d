import { detailMessages } from "../detail-messages.tsx";

/** The total and caption of a batch. Only an approved batch is called approved. */
export const breakdownTexts = (isApproved: boolean) =>
  isApproved ? detailMessages.equation.approved : detailMessages.equation.uploaded;
