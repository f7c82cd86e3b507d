import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
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
