import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { PageLink } from "../../../components/page-link.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { useMay } from "../../../server/session.ts";
import type { FailureGroup } from "./failure-groups.ts";
import classes from "./failures.module.css";
import { messages } from "./retry-messages.ts";

type Group = Pick<FailureGroup, "batches" | "reason" | "can_retry">;

/** Returns whether the reader may retry payouts of a failure group. */
export const useMayRetry = (): ((group: Group) => boolean) => {
  const mayUpload = useMay("upload");
  return ({ batches, can_retry }) => mayUpload && can_retry && batches.length > 0;
};

const addressOf = (batchId: string, { reason }: Group): string =>
  `/batches/${batchId}/retry?${new URLSearchParams(reason === null ? {} : { cause: reason })}`;

/** The button of a row: it leads to the retry, or to the batches if there are several. */
export function FixAndRetry({ of, choose }: { readonly of: Group; readonly choose: () => void }) {
  const [first, ...others] = of.batches;
  if (!first) return null;
  const look = { size: "xs", variant: "default" } as const;
  return others.length === 0 ? (
    <Button component={Link} to={addressOf(first.batch_id, of)} {...look}>
      {messages.fixAndRetry}
    </Button>
  ) : (
    <Button onClick={choose} {...look}>
      {messages.fixAndRetry}
    </Button>
  );
}

/** The batches in which an uploader corrects a failure group, for readers who cannot. */
export function OpenBatches({ of, choose }: { readonly of: Group; readonly choose: () => void }) {
  const [first, ...others] = of.batches;
  if (!first) return null;
  const look = { size: "xs", variant: "default" } as const;
  return others.length === 0 ? (
    <Button component={Link} to={`/batches/${first.batch_id}`} {...look}>
      {messages.openBatch}
    </Button>
  ) : (
    <Button onClick={choose} {...look}>
      {messages.showBatches}
    </Button>
  );
}

/** Says who can retry a failure group, for readers who cannot, with links to its batches. */
export function RetryByUploader({ of: { batches, can_retry: canRetry } }: { readonly of: Group }) {
  const mayUpload = useMay("upload");
  if (mayUpload || !canRetry || batches.length === 0) return null;
  return (
    <Text size="sm">
      {messages.byUploader}{" "}
      {batches.map(({ batch_id: id, name }, at) => (
        <Fragment key={id}>
          {at === 0 ? "" : ", "}
          <PageLink to={`/batches/${id}`}>
            <UserText text={name} />
          </PageLink>
        </Fragment>
      ))}
    </Text>
  );
}

/** The retry of a failure group: one button, or one for each of its batches. */
export function RetryChoice({ of }: { readonly of: Group }) {
  const [first, ...others] = of.batches;
  if (!first) return null;
  if (others.length === 0) {
    return (
      <div>
        <Button component={Link} to={addressOf(first.batch_id, of)} size="sm">
          {messages.fixAndRetry}
        </Button>
      </div>
    );
  }
  return (
    <ul className={classes.batches} aria-label={messages.fixAndRetry}>
      {of.batches.map(({ batch_id: id, name, count }) => (
        <li key={id}>
          <span>
            <PageLink to={`/batches/${id}`}>
              <UserText text={name} />
            </PageLink>{" "}
            · {messages.payouts(count)}
          </span>
          <Button component={Link} to={addressOf(id, of)} size="xs" variant="default">
            {messages.fixAndRetry}
          </Button>
        </li>
      ))}
    </ul>
  );
}
