import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to another page of the desk. */
export const Go = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Anchor component={Link} to={to} size="sm">
    {children}
  </Anchor>
);
