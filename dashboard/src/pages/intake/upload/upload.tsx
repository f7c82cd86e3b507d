import { Button, Group, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { addressOf } from "../../../server/address.ts";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { FrozenLedgerAlert } from "../../../components/payout/frozen-ledger-alert.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Page } from "../../../components/page.tsx";
import { Section } from "../../../components/section.tsx";
import { UploadersOnlyPage } from "../../../components/payout/uploaders-only-page.tsx";
import { useMay } from "../../../server/session.ts";
import { isolateDirection } from "../../../base/text.ts";
import { frameQuery } from "../../../shell/frame-query.ts";
import { DropZone } from "./drop-zone.tsx";
import { type Description, DescriptionFields } from "./details/details-fields.tsx";
import { CopyEarlierBatch } from "./copy-earlier-batch.tsx";
import { Headroom } from "./headroom.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { PasteRows } from "./paste-rows.tsx";
import { RefusedFile } from "./refused-file.tsx";
import { templatesQuery } from "./queries.ts";
import { messages as stepTexts } from "./reading/step-messages.ts";
import { UploadSteps } from "./reading/upload-steps.tsx";
import { useUpload } from "./use-upload.ts";

/** Most files need no confirmation. */
const ConfirmReading = lazy(async () => ({
  default: (await import("./reading/confirm-reading.tsx")).ConfirmReading,
}));

const texts = messages.page;

/** The page for uploading a file, or an explanation for users who may not upload. */
export function UploadPage() {
  if (useMay("upload")) return <Upload />;
  return (
    <UploadersOnlyPage title={texts.title} does={texts.does} to="/batches" look={texts.look} />
  );
}

/** The page for users who may upload. */
function Upload() {
  const [description, setDescription] = useState<Description>({ name: "", purpose: "" });
  const upload = useUpload({
    name: description.name.trim() || undefined,
    purpose: description.purpose.trim() || undefined,
  });
  const frozen = useQuery(frameQuery).data?.status_indicator.frozen ?? null;
  return (
    <Page title={texts.title} facts={texts.facts}>
      <UploadSteps
        active={upload.asked ? "reading" : "file"}
        results={upload.asked ? { file: upload.asked.file.name, reading: stepTexts.toConfirm } : {}}
      />
      {frozen === null ? null : (
        <FrozenLedgerAlert reason={frozen}>{texts.frozen}</FrozenLedgerAlert>
      )}
      {upload.asked ? (
        <UnconfirmedReading upload={upload} asked={upload.asked} />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <FileSection upload={upload} />
            <Section title={texts.details} caption={texts.optional} foldsOnPhone>
              <DescriptionFields of={description} onChange={setDescription} />
            </Section>
            <CopyEarlierBatch />
          </Stack>
          <Stack>
            <Headroom />
            <Section title={texts.templates} foldsOnPhone>
              <Templates />
            </Section>
          </Stack>
        </SimpleGrid>
      )}
    </Page>
  );
}

type UploadState = ReturnType<typeof useUpload>;

/** Columns of any currency, which no template has. */
const COMMON_FIELDS = ["transaction_code", "payout_code", "callback_url"];

/** The questions about a file, in place of the choice of a file. */
function UnconfirmedReading({
  upload,
  asked,
}: {
  readonly upload: UploadState;
  readonly asked: NonNullable<UploadState["asked"]>;
}) {
  const { data: templates, error, refetch } = useQuery(templatesQuery);
  const { file, proposal, confirmed } = asked;
  if (!templates) {
    return error ? <ErrorState error={error} reset={() => void refetch()} /> : <Loading />;
  }
  const fields = new Set([...templates.items.flatMap(({ columns }) => columns), ...COMMON_FIELDS]);
  return (
    <>
      <Refusals upload={upload} />
      <Suspense fallback={<Loading />}>
        <ConfirmReading
          key={JSON.stringify(proposal)}
          fileName={file.name}
          proposal={proposal}
          fields={[...fields]}
          isBusy={upload.sent !== null}
          onConfirm={(reading) => void upload.upload(file, { ...confirmed, ...reading })}
          onCancel={upload.forget}
        />
      </Suspense>
    </>
  );
}

/** Takes the file. */
function FileSection({ upload: state }: { readonly upload: UploadState }) {
  const { upload, sent } = state;
  return (
    <Section title={texts.file}>
      <Refusals upload={state} />
      <DropZone
        label={texts.choose}
        hint={texts.hint}
        sent={sent}
        isPrimary
        onFile={(file) => void upload(file)}
      />
      <PasteRows isBusy={sent !== null} onFile={(file) => void upload(file)} />
    </Section>
  );
}

/** Shows why an upload was prevented or refused. */
function Refusals({ upload: { known, refusal } }: { readonly upload: UploadState }) {
  return (
    <>
      {known ? (
        <Notice role="alert" tone="hold" title={texts.known}>
          <span>
            {texts.knownText(
              <PageLink to={`/batches/${known.batch.batch_id}`}>{known.batch.batch_id}</PageLink>,
              known.batch.maker.name,
              known.ignored_options.join(" "),
            )}
          </span>
        </Notice>
      ) : null}
      {refusal ? (
        <RefusedFile
          error={refusal.error}
          title={messages.refused.title(isolateDirection(refusal.fileName))}
        />
      ) : null}
    </>
  );
}

type GuideColumn = Answer<"GET /api/templates/:currency/guide">["columns"][number];

const guideTexts = messages.templates;
const GUIDE: readonly Column<GuideColumn>[] = [
  {
    key: "column",
    header: guideTexts.column,
    names: true,
    cell: ({ column }) => <code>{column}</code>,
  },
  { key: "need", header: guideTexts.need, cell: ({ need }) => guideTexts.needs[need] },
  { key: "expected", header: guideTexts.contains, cell: ({ expected }) => expected },
];

function Templates() {
  const { data: templates } = useQuery(templatesQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? templates?.items[0]?.currency;
  const { data: guide } = useQuery({
    queryKey: ["GET /api/templates/:currency/guide", currency],
    queryFn: ({ signal }) =>
      call("GET /api/templates/:currency/guide", { params: { currency: currency ?? "" }, signal }),
    enabled: currency !== undefined,
    staleTime: Infinity,
  });
  if (!templates || currency === undefined) return null;
  const download = (format: "csv" | "xlsx") =>
    addressOf("GET /api/templates/:currency", { params: { currency }, query: { format } }).address;
  return (
    <>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={guideTexts.currency}
          value={currency}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={templates.items.map((item) => item.currency)}
        />
        <Button component="a" href={download("xlsx")} variant="default">
          {guideTexts.excel}
        </Button>
        <Button component="a" href={download("csv")} variant="default">
          {guideTexts.csv}
        </Button>
      </Group>
      {guide ? (
        <DataTable
          caption={guideTexts.columnsOf(currency)}
          hideCaption
          columns={GUIDE}
          rows={guide.columns}
          rowKey={({ column }) => column}
        />
      ) : null}
    </>
  );
}
