import { lazy } from "react";
import { usePages } from "../../../base/list/use-pages.ts";
import { LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { call } from "../../../server/client.ts";

/** Loaded while the server looks for the entries. */
const BatchAuditList = lazy(() => import("../../integrity/batch-audit-list.tsx"));

/** The entries of the audit log about one batch. */
export function AuditTab({ id }: { readonly id: string }) {
  const query = { object: id };
  const found = usePages(["GET /api/audit", query], (cursor, signal) =>
    call("GET /api/audit", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  return (
    <LoadedList found={found}>
      <BatchAuditList
        id={id}
        rows={found.pages.flatMap(({ items }) => items)}
        isLoaded={found.data !== undefined}
        more={found.more}
      />
    </LoadedList>
  );
}
