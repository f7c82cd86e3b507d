import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to another page of the dashboard. */
export const PageLink = ({
  to,
  row,
  children,
}: {
  readonly to: string;
  /** The link of its row that `j` and `k` focus. */
  readonly row?: boolean;
  readonly children: ReactNode;
}) => (
  <Anchor component={Link} to={to} size="sm" data-row-link={row}>
    {children}
  </Anchor>
);
