import { Button, Group, Text } from "@mantine/core";
import { CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { addressOf } from "../../../server/address.ts";
import { Section } from "../../../components/section.tsx";
import { useMay } from "../../../server/session.ts";
import { messages } from "./messages.tsx";
import classes from "./upload.module.css";
import type { FileFindings } from "./queries.ts";

const texts = messages.findings;

type Finding = FileFindings["findings"][number];

/** The finding whose rows are shown below. */
export interface SelectedFinding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly column: string;
  readonly sentence: string;
}

const selectionOf = ({
  sentence,
  example: { severity, code, column },
}: Finding): SelectedFinding => ({
  severity,
  code,
  column: column ?? "",
  sentence,
});

interface FindingsProps {
  readonly found: FileFindings;
  readonly shown: SelectedFinding | null;
  readonly onShow: (shown: SelectedFinding | null) => void;
}

/** The findings of a file, one entry for each kind of correction. */
export function Findings({ found, shown, onShow }: FindingsProps) {
  const mayUpload = useMay("upload");
  const { batch, findings } = found;
  const of = (wanted: string) =>
    findings.filter(({ example: { severity } }) => severity === wanted);
  const download = (format: "csv" | "xlsx") =>
    addressOf("GET /api/batches/:id/rejects", {
      params: { id: batch.batch_id },
      query: { format },
    }).address;
  const groups = [
    { title: texts.problems, findings: of("error") },
    { title: texts.warnings, findings: of("warning") },
  ];
  return groups
    .filter((group) => group.findings.length > 0)
    .map((group) => (
      <Section
        key={group.title}
        title={group.title}
        actions={
          group.title === texts.problems && mayUpload ? (
            <Group gap="xs">
              <Button component="a" href={download("xlsx")} size="xs" variant="default">
                {texts.rejectsExcel}
              </Button>
              <Button component="a" href={download("csv")} size="xs" variant="default">
                {texts.rejectsCsv}
              </Button>
            </Group>
          ) : null
        }
      >
        <Entries of={group.findings} shown={shown} onShow={onShow} />
      </Section>
    ));
}

/** More kinds of corrections are shown on request. */
const ENTRIES_SHOWN = 10;

function Entries({
  of,
  shown,
  onShow,
}: Omit<FindingsProps, "found"> & { readonly of: readonly Finding[] }) {
  const [isWhole, setWhole] = useState(false);
  const entries = isWhole ? of : of.slice(0, ENTRIES_SHOWN);
  return (
    <>
      <ul className={classes.findings}>
        {entries.map((finding) => (
          <Entry
            key={JSON.stringify(selectionOf(finding))}
            finding={finding}
            isShown={JSON.stringify(shown) === JSON.stringify(selectionOf(finding))}
            onShow={onShow}
          />
        ))}
      </ul>
      {entries.length < of.length ? (
        <div>
          <Button variant="default" size="xs" onClick={() => setWhole(true)}>
            {texts.showMore(of.length - entries.length)}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Entry({
  finding,
  isShown,
  onShow,
}: {
  readonly finding: Finding;
  readonly isShown: boolean;
  readonly onShow: (shown: SelectedFinding | null) => void;
}) {
  const { count, lines, example } = finding;
  const isError = example.severity === "error";
  const Icon = isError ? CircleX : TriangleAlert;
  return (
    <li className={classes.finding}>
      <div className={classes.head}>
        <div className={classes.sentence} data-tone={isError ? "declined" : "awaiting"}>
          <Icon size={16} aria-hidden />
          <span>{texts.finding(count, example.message)}</span>
        </div>
        <Button
          size="xs"
          variant={isShown ? "filled" : "default"}
          aria-pressed={isShown}
          onClick={() => onShow(isShown ? null : selectionOf(finding))}
        >
          {isShown ? texts.showAll : texts.showRows}
        </Button>
      </div>
      <Text size="sm">{example.correction}</Text>
      <Text size="sm" c="dimmed">
        {where(lines, count)}
        {example.found ? texts.found(example.found) : ""}
        {texts.expected(example.expected)}
      </Text>
    </li>
  );
}

function where(lines: readonly number[], count: number): string {
  const more = count - lines.length;
  const first = texts.lines(lines);
  return more > 0 ? texts.linesAndMore(first, more) : first;
}
