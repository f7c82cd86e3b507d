import { EmptyState } from "../empty-state.tsx";
import { Go } from "../page-link.tsx";
import { Page } from "../page.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** Replaces a form that the reader may not send. */
export const ForUploaders = ({
  title,
  does,
  to,
  look,
}: {
  readonly title: string;
  /** The task of uploaders on this page, such as "upload files". */
  readonly does: string;
  readonly to: "/batches" | "/deposits";
  readonly look: string;
}) => (
  <Page title={title}>
    <EmptyState text={detailMessages.uploadersOnly(does)}>
      <Go to={to}>{look}</Go>
    </EmptyState>
  </Page>
);
