import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ExportMenu } from "../../components/export-menu.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { lazyList, LoadedList } from "../../components/list-table/loaded-list.tsx";
import { Page } from "../../components/page.tsx";
import { addressOf } from "../../server/address.ts";
import { useMay } from "../../server/session.ts";
import { proposedActionsQuery } from "../payout-action/action-query.ts";
import { PendingChanges } from "../people/settings/pending-changes.tsx";
import { messages } from "./messages.tsx";
import { approvalsQuery } from "./queries.ts";
import type { ApprovalsSearch } from "./search-params.ts";

const route = getRouteApi("/dashboard/approvals");

const ApprovalList = lazyList(() => import("./approval-list.tsx"));

/** Loaded if bulk actions await a confirmation. */
const ProposedActions = lazy(async () => ({
  default: (await import("../payout-action/proposed-actions.tsx")).ProposedActions,
}));

/** Lists the batches that await approval: those that the reader may approve, or all. */
export function ApprovalsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayApprove = useMay("approve");
  const proposed = useQuery({ ...proposedActionsQuery, enabled: mayApprove }).data?.items ?? [];
  const query = { show: "mine" as const, ...search };
  const found = useQuery({ ...approvalsQuery(query), placeholderData: keepPreviousData });
  const go = (next: ApprovalsSearch, change?: SearchChange): void =>
    void navigate({ to: "/approvals", search: next, ...change });
  return (
    <Page
      title={messages.list.title}
      actions={
        <ExportMenu
          addressOf={(format) =>
            addressOf("GET /api/approval-export", { query: { ...query, format } }).address
          }
        />
      }
    >
      {mayApprove ? (
        <>
          <PendingChanges />
          {proposed.length > 0 ? (
            <Suspense>
              <ProposedActions items={proposed} />
            </Suspense>
          ) : null}
        </>
      ) : null}
      <LoadedList found={found}>
        <ApprovalList waiting={found.data} search={search} onSearch={go} />
      </LoadedList>
    </Page>
  );
}
