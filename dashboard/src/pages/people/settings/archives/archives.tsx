import { Button, Code, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { EmptyState } from "../../../../components/empty-state.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { Loading } from "../../../../components/loading.tsx";
import { Timestamp } from "../../../../components/timestamp.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { useMay } from "../../../../server/session.ts";
import { PENDING_CHANGES_KEY } from "../change-or-propose.ts";
import { SettingsPage } from "../settings-page.tsx";
import { messages as texts } from "./messages.tsx";

type Archive = Answer<"GET /api/archives">["archives"][number];

const ARCHIVES_KEY = ["GET /api/archives"];

/** The archive files of the ledger, and the proposal to remove their rows. */
export function ArchivesPage() {
  const queries = useQueryClient();
  const mayPropose = useMay("administer");
  const found = useQuery({
    queryKey: ARCHIVES_KEY,
    queryFn: ({ signal }) => call("GET /api/archives", { signal }),
  });
  const propose = useMutation({
    mutationFn: (archive_id: string) =>
      call("POST /api/pending-changes", { body: { kind: "detach_archive", archive_id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: PENDING_CHANGES_KEY });
      await queries.invalidateQueries({ queryKey: ARCHIVES_KEY });
      notifications.show({ message: texts.proposed });
    },
  });
  const error = found.error ?? propose.error;
  return (
    <SettingsPage title={texts.title}>
      <Text>
        {texts.explanation((command) => (
          <Code>{command}</Code>
        ))}
      </Text>
      {error ? <ErrorState error={error} /> : null}
      {found.data ? (
        <DataTable
          caption={texts.caption}
          hideCaption
          rows={found.data.archives}
          rowKey={({ id }) => id}
          empty={<EmptyState text={texts.none} />}
          columns={columnsOf(mayPropose ? propose : null)}
        />
      ) : found.error ? null : (
        <Loading lines={4} />
      )}
    </SettingsPage>
  );
}

/** @param propose null: this person may not propose a removal. */
function columnsOf(
  propose: { readonly isPending: boolean; readonly mutate: (id: string) => void } | null,
): Column<Archive>[] {
  return [
    { key: "file", header: texts.file, names: true, cell: (row) => row.archive_file },
    { key: "until", header: texts.until, cell: (row) => <Timestamp at={row.until} /> },
    { key: "payouts", header: texts.payouts, numeric: true, cell: (row) => row.payouts },
    { key: "rows", header: texts.rows, cell: (row) => texts.stored[row.stored] },
    {
      key: "action",
      header: texts.action,
      card: "action",
      cell: (row) =>
        propose && row.stored === "ledger" ? (
          <Button
            size="xs"
            variant="default"
            disabled={propose.isPending}
            aria-label={texts.proposeFor(row.archive_file)}
            onClick={() => propose.mutate(row.id)}
          >
            {texts.propose}
          </Button>
        ) : (
          "–"
        ),
    },
  ];
}
