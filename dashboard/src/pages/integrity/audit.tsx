import { getRouteApi } from "@tanstack/react-router";
import { usePages } from "../../base/list/use-pages.ts";
import { ExportMenu } from "../../components/export-menu.tsx";
import type { SearchChange } from "../../components/list-table/list-column.ts";
import { lazyList, LoadedList } from "../../components/list-table/loaded-list.tsx";
import { Page } from "../../components/page.tsx";
import { addressOf } from "../../server/address.ts";
import { call } from "../../server/client.ts";
import { ChainVerification } from "./chain-verification.tsx";
import { messages } from "./messages.tsx";
import { auditQuery, type AuditSearch } from "./search-params.ts";

const route = getRouteApi("/dashboard/audit");

const AuditList = lazyList(() => import("./audit-list.tsx"));

/** The audit log, newest first, with the verification of its hash chain. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = auditQuery(search);
  const found = usePages(["GET /api/audit", search], (cursor, signal) =>
    call("GET /api/audit", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  const go = (next: AuditSearch, change?: SearchChange): void =>
    void navigate({ to: "/audit", search: next, ...change });
  return (
    <Page
      title={messages.title}
      actions={
        <ExportMenu
          addressOf={(format) =>
            addressOf("GET /api/audit-export", { query: { ...query, format } }).address
          }
        />
      }
    >
      <ChainVerification />
      <LoadedList found={found}>
        <AuditList
          rows={found.pages.flatMap(({ items }) => items)}
          isLoaded={found.data !== undefined}
          search={search}
          more={found.more}
          onSearch={go}
        />
      </LoadedList>
    </Page>
  );
}
