import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to another page of the desk. */
export const Go = ({
  to,
  row,
  inText = false,
  children,
}: {
  readonly to: string;
  /** The one link of its row that `j` and `k` stop at. */
  readonly row?: boolean;
  /** It stands in a sentence, where its colour alone may not tell it from the words beside it. */
  readonly inText?: boolean;
  readonly children: ReactNode;
}) => (
  <Anchor
    component={Link}
    to={to}
    size="sm"
    underline={inText ? "always" : "hover"}
    data-row-link={row}
  >
    {children}
  </Anchor>
);
