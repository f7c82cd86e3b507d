import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addressOf } from "../../../server/address.ts";
import { type Answer, call, uploadFile } from "../../../server/client.ts";
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

const texts = messages.page;

export function UploadPage() {
  if (useMay("upload")) return <Upload />;
  return (
    <UploadersOnlyPage title={texts.title} does={texts.does} to="/batches" look={texts.look} />
  );
}

function Upload() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [known, setKnown] = useState<Answer<"POST /api/batches"> | null>(null);
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState("");
  const [canary, setCanary] = useState("");
  const [priority, setPriority] = useState<Priority>("normal");
  const { rows, sums, refusal: misread, fields } = useExpectedTotals();
  const [isHeldBack, setIsHeldBack] = useState(false);
  const frozen = useQuery(frameQuery).data?.status_indicator.frozen ?? null;

  const upload = async (file: File): Promise<void> => {
    setIsHeldBack(misread !== null);
    if (misread !== null) return;
    setSent(0);
    setRefusal(null);
    setKnown(null);
    try {
      const answer = await uploadFile("POST /api/batches", file, {
        query: {
          file_name: file.name,
          name: name.trim() || undefined,
          purpose: purpose.trim() || undefined,
          expect_rows: rows ?? undefined,
          expect_sum: [...sums],
          canary: canary.trim() === "" ? undefined : Number(canary),
          // The default is omitted: for a file uploaded before, it would count as a changed
          // priority.
          priority: priority === "normal" ? undefined : priority,
        },
        idempotencyKey: crypto.randomUUID(),
        onProgress: setSent,
      });
      await queries.invalidateQueries({ queryKey: ["GET /api/batches"] });
      const id = answer.batch.batch_id;
      if (answer.is_new) await navigate({ to: "/batches/$id/file", params: { id } });
      else setKnown(answer);
    } catch (error) {
      setRefusal(error);
    } finally {
      setSent(null);
    }
  };

  return (
    <Page title={texts.title}>
      {frozen === null ? null : (
        <FrozenLedgerAlert reason={frozen}>{texts.frozen}</FrozenLedgerAlert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <Section title={texts.file}>
            <DropZone
              label={texts.choose}
              hint={texts.hint}
              sent={sent}
              onFile={(file) => void upload(file)}
            />
            <PasteRows isBusy={sent !== null} onFile={(file) => void upload(file)} />
            {known ? (
              <Notice role="alert" tone="alarm" title={texts.known}>
                <span>
                  {texts.knownText(
                    <PageLink to={`/batches/${known.batch.batch_id}`}>
                      {known.batch.batch_id}
                    </PageLink>,
                    known.batch.maker.name,
                    known.ignored_options.join(" "),
                  )}
                </span>
              </Notice>
            ) : null}
            {isHeldBack && misread !== null ? (
              <Notice role="alert" tone="alarm" title={texts.notUploaded}>
                <span>{texts.chooseAgain(misread)}</span>
              </Notice>
            ) : null}
            {refusal ? <RefusedFile error={refusal} /> : null}
          </Section>
          <Section title={texts.details}>
            <Text size="sm" c="dimmed">
              {texts.detailsHint}
            </Text>
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
            {fields}
            <TextInput
              label={texts.canary}
              description={texts.canaryHint}
              inputMode="numeric"
              pattern="[0-9]*"
              value={canary}
              onChange={({ currentTarget }) =>
                setCanary(currentTarget.value.replaceAll(/[^0-9]/g, ""))
              }
            />
            <PrioritySelect
              label={texts.priority}
              description={texts.priorityHint}
              priority={priority}
              onChange={setPriority}
            />
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
