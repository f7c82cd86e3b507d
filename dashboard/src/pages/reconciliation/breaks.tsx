import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy } from "react";
import { usePages } from "../../base/list/use-pages.ts";
import { LoadedList } from "../../components/list-table/loaded-list.tsx";
import { Page } from "../../components/page.tsx";
import { call } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import { Replacements } from "./replacements.tsx";
import { type BreakSearch, breaksQuery } from "./search-params.ts";

const route = getRouteApi("/dashboard/reconciliation");

/** Loaded while the server looks for the breaks. */
const BreakList = lazy(() => import("./break-list.tsx"));

/** The list of breaks with its filters. */
export function BreaksPage() {
  const mayOperate = useMay("operate");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = breaksQuery(search);
  const found = usePages(["GET /api/breaks", search], (cursor, signal) =>
    call("GET /api/breaks", { query: { ...query, ...(cursor && { cursor }) }, signal }),
  );
  const go = (next: BreakSearch): void => void navigate({ to: "/reconciliation", search: next });
  return (
    <Page
      title={messages.title}
      facts={messages.explained}
      actions={
        <>
          <Button component={Link} to="/reconciliation/days" variant="default">
            {messages.days}
          </Button>
          {mayOperate ? (
            <Button component={Link} to="/reconciliation/upload">
              {messages.upload}
            </Button>
          ) : null}
        </>
      }
    >
      <Replacements />
      <LoadedList found={found}>
        <BreakList
          rows={found.pages.flatMap(({ items }) => items)}
          isLoaded={found.data !== undefined}
          search={search}
          summary={found.pages[0]?.counts}
          more={found.more}
          onSearch={go}
        />
      </LoadedList>
    </Page>
  );
}
