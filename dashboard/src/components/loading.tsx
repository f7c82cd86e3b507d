import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { messages } from "./messages.tsx";

/** A placeholder for loading content. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <Stack gap="sm" role="status" data-loading-page>
      <VisuallyHidden>{messages.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, at) => (
        <Skeleton
          key={at}
          height={at === 0 ? 28 : 18}
          width={at === 0 ? "40%" : `${96 - at * 9}%`}
        />
      ))}
    </Stack>
  );
}

/**
 * Renders its content in a step of its own after the parts around it, and in short slices. A slow
 * phone shows those parts before, and reacts to input meanwhile.
 */
export function Later({
  fallback = <Loading />,
  children,
}: {
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}) {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => startTransition(() => setIsDue(true)), []);
  return isDue ? children : fallback;
}
