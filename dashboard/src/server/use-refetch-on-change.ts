import type { QueryKey } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { refetchQuery } from "./query-client.ts";

/** Repeats queries whenever the version of their data changes while the page shows them. */
export function useRefetchOnChange(version: string, queryKeys: readonly QueryKey[]): void {
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current === version) return;
    shown.current = version;
    for (const queryKey of queryKeys) void refetchQuery({ queryKey });
  });
}
