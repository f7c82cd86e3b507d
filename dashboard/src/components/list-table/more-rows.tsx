import { Button, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./list-table.module.css";
import { messages } from "./messages.ts";

/** The end of a list: the number of loaded rows, and how to load more. */
export interface MoreRowsProps {
  readonly shown: number;
  /** Undefined: all rows are loaded. */
  readonly more:
    | {
        readonly isLoading: boolean;
        /** True if the last attempt failed. The reader decides when to try again. */
        readonly hasFailed: boolean;
        readonly load: () => void;
      }
    | undefined;
}

/** Starts to load before the reader reaches the end of the list. */
const AHEAD = "800px";

/** Loads more rows when the end of the list comes near, or by its button. */
export function MoreRows({ shown, more }: MoreRowsProps) {
  const { ref, entry } = useIntersection({ rootMargin: AHEAD });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && more && !more.isLoading && !more.hasFailed) more.load();
    // `shown` repeats the question after each loaded page, while the end is still near.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNear, shown, more?.isLoading]);
  return (
    <div ref={ref} className={classes.foot}>
      <Text size="sm" c="dimmed" role="status">
        {more?.isLoading ? messages.loading : messages.shown(shown)}
      </Text>
      {more ? (
        <Button variant="default" size="xs" loading={more.isLoading} onClick={more.load}>
          {messages.loadMore}
        </Button>
      ) : null}
    </div>
  );
}
