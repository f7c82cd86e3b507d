import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ErrorState } from "../../components/error-state.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import type { PayoutSearch } from "./search-params.ts";

const ACCOUNT = /^\+?(?=.*\d)[\w-]{6,140}$/;

/**
 * A button that searches for the text as a full account number. The audit log records each such
 * search, so it only happens on request.
 */
export default function AccountSearch({
  search: { text, ...others },
  onSearch,
}: {
  readonly search: PayoutSearch;
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const mayReveal = useMay("reveal");
  const seal = useMutation({
    mutationFn: (account: string) => call("POST /api/account-filters", { body: { account } }),
    onSuccess: ({ account }) => onSearch({ ...others, account }),
  });
  if (!mayReveal || text === undefined || !ACCOUNT.test(text)) return null;
  return (
    <>
      <Button variant="default" loading={seal.isPending} onClick={() => seal.mutate(text)}>
        {messages.list.searchAccount}
      </Button>
      {seal.error ? <ErrorState error={seal.error} /> : null}
    </>
  );
}
