import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to another page of the dashboard. */
export const PageLink = ({
  to,
  row,
  isInText = false,
  children,
}: {
  readonly to: string;
  /** The link of its row that `j` and `k` focus. */
  readonly row?: boolean;
  /** The link is part of a sentence, where its colour alone does not set it apart. */
  readonly isInText?: boolean;
  readonly children: ReactNode;
}) => (
  <Anchor
    component={Link}
    to={to}
    size="sm"
    underline={isInText ? "always" : "hover"}
    data-row-link={row}
  >
    {children}
  </Anchor>
);
