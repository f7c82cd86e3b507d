import { Alert } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiProblem } from "../../server/client.ts";
import { messages } from "./messages.ts";

type Search = Readonly<Record<string, unknown>>;

/** The filters of the page address that the server refused, by name. */
function refusedFilters(error: Error | null, search: Search): readonly string[] {
  if (!(error instanceof ApiProblem)) return [];
  const places = error.document.places ?? [];
  return Object.keys(search).filter((name) =>
    places.some(({ place }) => `${place}.`.startsWith(`query.${name}.`)),
  );
}

/**
 * Removes filters that the server refuses from the address with which a reader opened the list,
 * such as that of an old link. A filter that the reader enters later stays, to be corrected.
 */
export function useUnknownFilters({
  data,
  error,
}: {
  readonly data: unknown;
  readonly error: Error | null;
}) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const [hasLoaded, setLoaded] = useState(false);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  if (data !== undefined && !hasLoaded) setLoaded(true);
  const refused = hasLoaded ? [] : refusedFilters(error, search);
  const texts = refused.map((name) => `${name}=${String(search[name])}`);
  if (refused.length > 0 && texts.join() !== removed.join()) setRemoved(texts);
  const names = refused.join(" ");
  useEffect(() => {
    if (names === "") return;
    const kept = Object.entries(search).filter(([name]) => !names.split(" ").includes(name));
    void navigate({ to: ".", search: Object.fromEntries(kept) as never, replace: true });
  }, [names, search, navigate]);
  const notice =
    removed.length === 0 ? null : (
      <Alert
        role="status"
        color="gray"
        variant="light"
        p="xs"
        withCloseButton
        closeButtonLabel={messages.hideNotice}
        onClose={() => setRemoved([])}
      >
        {messages.unknownFilters(removed)}
      </Alert>
    );
  return { isRemoving: refused.length > 0, notice };
}
