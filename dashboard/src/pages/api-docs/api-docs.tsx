import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import classes from "./api-docs.module.css";
import { Contents } from "./contents.tsx";
import { messages } from "./messages.ts";
import { apiDocsQuery } from "./query.ts";

const DESK = "(min-width: 62em)";

/** The frame of the API documentation: its table of contents, and the opened part. */
export function ApiDocsPage() {
  const { data: docs, error, refetch } = useQuery(apiDocsQuery);
  const { entry } = useParams({ strict: false });
  const isDesk = useMediaQuery(DESK, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  if (!docs) {
    return (
      <Page title={messages.title}>
        {error ? <ErrorState error={error} reset={() => void refetch()} /> : <Loading lines={8} />}
      </Page>
    );
  }
  const contents = <Contents of={docs} current={entry} onOpen={() => setOpen(false)} />;
  return (
    <div className={classes.layout}>
      {isDesk ? (
        <div className={classes.side}>{contents}</div>
      ) : (
        <details
          className={classes.fold}
          open={isOpen}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary>{messages.contents}</summary>
          {contents}
        </details>
      )}
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  );
}
