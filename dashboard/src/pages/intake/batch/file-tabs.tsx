import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { addressOf } from "../../../server/address.ts";
import { CopyableText } from "../../../components/copyable-text.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import {
  EvidencePackButton,
  type PackAccounts,
} from "../../../components/evidence/evidence-pack.tsx";
import { useMay, usePerson } from "../../../server/session.ts";
import { ReadOnlyFindings } from "../upload/read-only-findings.tsx";
import { RejectedRows } from "../upload/rejected-rows.tsx";
import { findingsQuery } from "../upload/queries.ts";
import { messages } from "../messages.tsx";
import type { FileFindings } from "../upload/queries.ts";

const texts = messages.files;

/** The findings of the file. They are corrected on the page of the file. */
export const FindingsTab = ({ id }: { readonly id: string }) => (
  <OfFile id={id}>{(found) => <ReadOnlyFindings found={found} />}</OfFile>
);

/** The file of a batch, its corrections and the downloads. */
export const FilesTab = ({ id }: { readonly id: string }) => (
  <OfFile id={id}>
    {(found) => (
      <>
        <DataTable
          caption={texts.caption}
          hideCaption
          columns={COLUMNS}
          rows={filesOf(found)}
          rowKey={({ digest }) => digest}
        />
        <Kept source={found.batch.source} />
        <Downloads found={found} />
      </>
    )}
  </OfFile>
);

function OfFile({
  id,
  children,
}: {
  readonly id: string;
  readonly children: (found: FileFindings) => ReactNode;
}) {
  const { data: found, error } = useQuery(findingsQuery(id));
  if (error) return <ErrorState error={error} />;
  if (!found) return <Loading />;
  return (
    <>
      <Text size="sm">
        <PageLink to={`/batches/${id}/file`} isInText>
          {texts.howRead}
        </PageLink>
      </Text>
      {children(found)}
    </>
  );
}

type BatchFile = Omit<FileFindings["corrections"][number], "corrected"> & {
  /** Number of corrected rows; null for the original rows. */
  readonly corrected: number | null;
  readonly source: FileFindings["batch"]["source"];
};

const filesOf = ({ batch, corrections }: FileFindings): readonly BatchFile[] => {
  const { file, source, digest, maker: by, created_at: at, rows } = batch;
  const original = { file, source, digest, by, at, rows, corrected: null };
  return [original, ...corrections.map((each) => ({ ...each, source }))];
};

const COLUMNS: readonly Column<BatchFile>[] = [
  { key: "file", header: texts.file, names: true, cell: ({ file }) => <UserText text={file} /> },
  {
    key: "is",
    header: texts.kind,
    cell: ({ corrected, source }) =>
      corrected === null ? texts.original[source] : texts.correction(corrected),
  },
  { key: "rows", header: texts.rows, numeric: true, cell: ({ rows }) => rows.toLocaleString() },
  { key: "by", header: texts.uploadedBy, cell: ({ by }) => <UserText text={by.name} /> },
  { key: "at", header: texts.uploadedAt, cell: ({ at }) => <Timestamp at={at} /> },
  {
    key: "digest",
    header: texts.digest,
    cell: ({ digest }) => <CopyableText text={digest} />,
  },
];

/** Explains why the file itself cannot be downloaded. */
const Kept = ({ source }: Pick<FileFindings["batch"], "source">) => (
  <Text size="sm" maw="65ch">
    {source === "file" ? texts.kept((command) => <code>{command}</code>) : texts.sentByApi}
  </Text>
);

function Downloads({ found: { batch } }: { readonly found: FileFindings }) {
  const mayUpload = useMay("upload");
  const report = (format: "csv" | "xlsx") =>
    addressOf("GET /api/batches/:id/report", { params: { id: batch.batch_id }, query: { format } })
      .address;
  const me = usePerson();
  const evidencePack = (accounts: PackAccounts): string =>
    addressOf("GET /api/batches/:id/evidence-pack", {
      params: { id: batch.batch_id },
      query: { accounts },
    }).address;
  return (
    <Group gap="xs">
      <Button component="a" href={report("xlsx")} size="xs" variant="default">
        {texts.reportExcel}
      </Button>
      <Button component="a" href={report("csv")} size="xs" variant="default">
        {texts.reportCsv}
      </Button>
      <EvidencePackButton
        addressOf={evidencePack}
        isOwn={mayUpload && batch.maker.actor === `user:${me?.id}`}
      />
      {mayUpload && batch.rejected > 0 ? <RejectedRows id={batch.batch_id} /> : null}
    </Group>
  );
}
