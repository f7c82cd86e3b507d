import { Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { dateText } from "../../../base/dates.ts";
import { LaneName } from "../../../components/payout/lane-name.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ApproverDecision } from "../../../components/forms/approver-decision.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { call } from "../../../server/client.ts";
import { queryClient } from "../../../server/query-client.ts";
import { messages } from "../messages.ts";
import { type Replacement, replacementsQuery, waitsForText } from "../replacement-query.ts";

const texts = messages.replacements;

const fileText = (
  file: Pick<Replacement, "file_name" | "lines" | "mapping_version" | "has_balances">,
) => texts.fileText(file.file_name, file.lines, file.mapping_version, file.has_balances);

const COLUMNS: readonly Column<Replacement>[] = [
  { key: "day", header: messages.columns.day, names: true, cell: ({ day }) => dateText(day) },
  { key: "lane", header: messages.columns.lane, cell: ({ lane }) => <LaneName lane={lane} /> },
  { key: "file", header: texts.file, cell: (each) => <UserText text={fileText(each)} /> },
  {
    key: "replaced",
    header: texts.replaced,
    cell: ({ replaces }) => (replaces ? <UserText text={fileText(replaces)} /> : "–"),
  },
  {
    key: "by",
    header: texts.by,
    cell: ({ by, at }) => (
      <>
        <UserText text={by.name} />
        <Text size="xs" c="dimmed">
          <Timestamp at={at} relative={false} />
        </Text>
      </>
    ),
  },
  { key: "decision", header: texts.decision, cell: (each) => <Decision of={each} /> },
];

/** The statements that replace a compared one when an approver confirms them. */
export function Replacements() {
  const items = useQuery(replacementsQuery).data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section title={texts.title} caption={texts.explained} isFlush>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={items}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

function Decision({ of: { id, is_own: isOwn, approvers } }: { readonly of: Replacement }) {
  const decide = useMutation({
    mutationFn: (agree: boolean) =>
      call("POST /api/statements/:id/decide", { params: { id }, body: { agree } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["GET /api/statements"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/reconciliation-lanes"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks"] });
    },
  });
  const waitsFor = waitsForText(approvers);
  const waiting = { own: waitsFor, byApprovers: waitsFor };
  return <ApproverDecision decide={decide} isOwn={isOwn} waiting={waiting} />;
}
