import { EmptyState } from "../empty-state.tsx";
import { PageLink } from "../page-link.tsx";
import { Page } from "../page.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** Replaces a form that the reader may not send. */
export const UploadersOnlyPage = ({
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
      <PageLink to={to}>{look}</PageLink>
    </EmptyState>
  </Page>
);
