/** What a batch comes to is not called approved before somebody has approved it. */
export const equationWords = (isApproved: boolean) =>
  isApproved
    ? { total: "approved", caption: "What was approved, and what became of it" }
    : { total: "brought", caption: "What was brought, and where it is" };
