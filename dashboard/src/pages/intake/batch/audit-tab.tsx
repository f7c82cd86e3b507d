import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { paging } from "../../../base/list/paging.ts";
import { AUDIT_COLUMNS } from "../../integrity/audit-columns.tsx";
import { messages } from "./messages.tsx";

const texts = messages.audit;

const COLUMNS = AUDIT_COLUMNS.filter(({ key }) => key !== "object");

/** The entries of the audit log about one batch. */
export function AuditTab({ id }: { readonly id: string }) {
  const [cursor, setCursor] = useState<string | undefined>();
  const query = { object: id, limit: 25, cursor };
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/audit", query],
    queryFn: ({ signal }) => call("GET /api/audit", { query, signal }),
  });
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const { next } = page;
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.order} <PageLink to={`/audit?object=${id}`}>{texts.filter}</PageLink>
      </Text>
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={COLUMNS}
        rows={page.items}
        rowKey={({ number }) => String(number)}
        paging={paging(["batch-audit", id], { cursor, next }, setCursor)}
        empty={<EmptyState text={texts.empty} />}
      />
    </>
  );
}
