import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { addressOf } from "../../../server/address.ts";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { FrozenLedgerAlert } from "../../../components/payout/frozen-ledger-alert.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Page } from "../../../components/page.tsx";
import { type Priority, PrioritySelect } from "../../../components/payout/priority.tsx";
import { Section } from "../../../components/section.tsx";
import { UploadersOnlyPage } from "../../../components/payout/uploaders-only-page.tsx";
import { useMay } from "../../../server/session.ts";
import { frameQuery } from "../../../shell/frame-query.ts";
import { DropZone } from "./drop-zone.tsx";
import { useExpectedTotals } from "./expected-totals.tsx";
import { CopyEarlierBatch } from "./copy-earlier-batch.tsx";
import { Headroom } from "./headroom.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { PasteRows } from "./paste-rows.tsx";
import { RefusedFile } from "./refused-file.tsx";
import { DESCRIPTION_CHARS_MAX, templatesQuery } from "./queries.ts";
import { type UploadDetails, useUpload } from "./use-upload.ts";

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
  const { details, problem, fields } = useDetails();
  const upload = useUpload(details, problem);
  const frozen = useQuery(frameQuery).data?.status_indicator.frozen ?? null;
  return (
    <Page title={texts.title}>
      {frozen === null ? null : (
        <FrozenLedgerAlert reason={frozen}>{texts.frozen}</FrozenLedgerAlert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <FileSection upload={upload} problem={problem} />
          <Section title={texts.details}>
            <Text size="sm" c="dimmed">
              {texts.detailsHint}
            </Text>
            {fields}
          </Section>
        </Stack>
        <Stack>
          <Headroom />
          <CopyEarlierBatch />
          <Section title={texts.templates}>
            <Templates />
          </Section>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

/** The fields for the details of a batch, their values for the API and the mistake in a field. */
function useDetails() {
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState("");
  const [canary, setCanary] = useState("");
  const [priority, setPriority] = useState<Priority>("normal");
  const expected = useExpectedTotals();
  const details: UploadDetails = {
    name: name.trim() || undefined,
    purpose: purpose.trim() || undefined,
    expect_rows: expected.rows ?? undefined,
    expect_sum: [...expected.sums],
    canary: canary.trim() === "" ? undefined : Number(canary),
    // The default is omitted: for a file uploaded before, it would count as a changed priority.
    priority: priority === "normal" ? undefined : priority,
  };
  const fields = (
    <>
      <TextInput
        label={texts.name}
        maxLength={DESCRIPTION_CHARS_MAX}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={texts.purpose}
        maxLength={DESCRIPTION_CHARS_MAX}
        value={purpose}
        onChange={({ currentTarget }) => setPurpose(currentTarget.value)}
      />
      {expected.fields}
      <TextInput
        label={texts.canary}
        description={texts.canaryHint}
        inputMode="numeric"
        pattern="[0-9]*"
        value={canary}
        onChange={({ currentTarget }) => setCanary(currentTarget.value.replaceAll(/[^0-9]/g, ""))}
      />
      <PrioritySelect
        label={texts.priority}
        description={texts.priorityHint}
        priority={priority}
        onChange={setPriority}
      />
    </>
  );
  return { details, problem: expected.refusal, fields };
}

/** Takes the file, and shows why an upload was prevented or refused. */
function FileSection({
  upload: { upload, sent, known, isPrevented, refusal },
  problem,
}: {
  readonly upload: ReturnType<typeof useUpload>;
  readonly problem: string | null;
}) {
  return (
    <Section title={texts.file}>
      <DropZone
        label={texts.choose}
        hint={texts.hint}
        sent={sent}
        onFile={(file) => void upload(file)}
      />
      <PasteRows isBusy={sent !== null} onFile={(file) => void upload(file)} />
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
      {isPrevented && problem !== null ? (
        <Notice role="alert" tone="hold" title={texts.notUploaded}>
          <span>{texts.chooseAgain(problem)}</span>
        </Notice>
      ) : null}
      {refusal ? <RefusedFile error={refusal} /> : null}
    </Section>
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
