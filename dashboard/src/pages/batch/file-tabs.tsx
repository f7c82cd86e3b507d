import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { addressOf } from "../../address.ts";
import { Copied } from "../../components/copied.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Given } from "../../components/given.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { When } from "../../components/when.tsx";
import { useMay } from "../../session.ts";
import type { FileFindings } from "../upload/file.tsx";
import { Found } from "../upload/found.tsx";
import { findingsQuery } from "../upload/queries.ts";

/** What was found in the file: what is done about it stands on the page of the file. */
export const FindingsTab = ({ id }: { readonly id: string }) => (
  <OfFile id={id}>{(found) => <Found found={found} />}</OfFile>
);

/** The file of a batch and its corrections, and what can be had of it as a file. */
export const FilesTab = ({ id }: { readonly id: string }) => (
  <OfFile id={id}>
    {(found) => (
      <>
        <DataTable
          caption="The file of this batch and its corrections"
          hideCaption
          columns={COLUMNS}
          rows={filesOf(found)}
          rowKey={({ digest }) => digest}
        />
        <Kept />
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
        <Go to={`/batches/${id}/file`}>How the file was read</Go>
      </Text>
      {children(found)}
    </>
  );
}

type BatchFile = Omit<FileFindings["corrections"][number], "repaired"> & {
  /** Null: the file that the batch began with. */
  readonly repaired: number | null;
};

const filesOf = ({ batch, corrections }: FileFindings): readonly BatchFile[] => {
  const { file, digest, maker: by, created_at: at, rows } = batch;
  return [{ file, digest, by, at, rows, repaired: null }, ...corrections];
};

const COLUMNS: readonly Column<BatchFile>[] = [
  { key: "file", header: "File", names: true, cell: ({ file }) => <Given text={file} /> },
  {
    key: "is",
    header: "What it is",
    cell: ({ repaired }) => (repaired === null ? "the file" : `a correction, ${repaired} repaired`),
  },
  { key: "rows", header: "Rows", numeric: true, cell: ({ rows }) => rows.toLocaleString() },
  { key: "by", header: "Who", cell: ({ by }) => <Given text={by.name} /> },
  { key: "at", header: "When", cell: ({ at }) => <When at={at} /> },
  {
    key: "digest",
    header: "SHA-256",
    cell: ({ digest }) => <Copied text={digest} />,
  },
];

/** Where somebody looks for the file itself. */
const Kept = () => (
  <Text size="sm" maw="65ch">
    payrun keeps no copy of a file: it keeps what it read, every cell encrypted, and the name, the
    SHA-256, who brought it and when. So the file itself cannot be downloaded here. Whether one that
    you have is the same tells its SHA-256 (<code>sha256sum FILE</code>); brought again, the same
    file is known as this batch. What the cells held is in the report below.
  </Text>
);

function Downloads({ found: { batch } }: { readonly found: FileFindings }) {
  const mayUpload = useMay("upload");
  const of = (name: "report" | "rejects", format: "csv" | "xlsx") =>
    addressOf(`GET /api/batches/:id/${name}`, {
      params: { id: batch.batch_id },
      query: { format },
    }).address;
  return (
    <Group gap="xs">
      <Button component="a" href={of("report", "xlsx")} size="xs" variant="default">
        Every row and its state as Excel
      </Button>
      <Button component="a" href={of("report", "csv")} size="xs" variant="default">
        as CSV
      </Button>
      {mayUpload && batch.rejected > 0 ? (
        <>
          <Button component="a" href={of("rejects", "xlsx")} size="xs" variant="default">
            Wrong rows as Excel
          </Button>
          <Button component="a" href={of("rejects", "csv")} size="xs" variant="default">
            Wrong rows as CSV
          </Button>
        </>
      ) : null}
    </Group>
  );
}
