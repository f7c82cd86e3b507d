import { EmptyState } from "./empty-state.tsx";
import { Go } from "./go.tsx";
import { Page } from "./page.tsx";

/** In the place of a form that whoever looks at it may not send. */
export const ForUploaders = ({
  title,
  does,
  to,
  look,
}: {
  readonly title: string;
  /** What uploaders do here: "bring files". */
  readonly does: string;
  readonly to: "/batches" | "/deposits";
  readonly look: string;
}) => (
  <Page title={title}>
    <EmptyState
      text={`Uploaders ${does}, and you are none. An admin can make you one, under Settings, Users.`}
    >
      <Go to={to}>{look}</Go>
    </EmptyState>
  </Page>
);
