import { Button, Group, Text } from "@mantine/core";
import { CircleX, TriangleAlert } from "lucide-react";
import { addressOf } from "../../address.ts";
import { Section } from "../../components/section.tsx";
import { useMay } from "../../session.ts";
import type { FileFindings } from "./file.tsx";
import classes from "./upload.module.css";

type Finding = FileFindings["findings"][number];

/** Which rows are shown below. */
export interface Shown {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly column: string;
  readonly sentence: string;
}

const shownOf = ({ sentence, example: { severity, code, column } }: Finding): Shown => ({
  severity,
  code,
  column: column ?? "",
  sentence,
});

interface FindingsProps {
  readonly found: FileFindings;
  readonly shown: Shown | null;
  readonly onShow: (shown: Shown | null) => void;
}

/** What was found, one entry for each repair: a wall of a thousand lines helps nobody. */
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
    { title: "To be repaired", findings: of("error") },
    { title: "Worth a look", findings: of("warning") },
  ];
  return groups
    .filter((group) => group.findings.length > 0)
    .map((group) => (
      <Section
        key={group.title}
        title={group.title}
        actions={
          group.title === "To be repaired" && mayUpload ? (
            <Group gap="xs">
              <Button component="a" href={download("xlsx")} size="xs" variant="default">
                Wrong rows as Excel
              </Button>
              <Button component="a" href={download("csv")} size="xs" variant="default">
                as CSV
              </Button>
            </Group>
          ) : null
        }
      >
        <ul className={classes.findings}>
          {group.findings.map((finding) => (
            <Entry
              key={JSON.stringify(shownOf(finding))}
              finding={finding}
              isShown={JSON.stringify(shown) === JSON.stringify(shownOf(finding))}
              onShow={onShow}
            />
          ))}
        </ul>
      </Section>
    ));
}

function Entry({
  finding,
  isShown,
  onShow,
}: {
  readonly finding: Finding;
  readonly isShown: boolean;
  readonly onShow: (shown: Shown | null) => void;
}) {
  const { count, lines, example } = finding;
  const isError = example.severity === "error";
  const Icon = isError ? CircleX : TriangleAlert;
  return (
    <li className={classes.finding}>
      <div className={classes.head}>
        <div className={classes.sentence} data-tone={isError ? "bad" : "alarm"}>
          <Icon size={16} aria-hidden />
          <span>
            {rowsText(count)}: {example.message}
          </span>
        </div>
        <Button
          size="xs"
          variant={isShown ? "filled" : "default"}
          aria-pressed={isShown}
          onClick={() => onShow(isShown ? null : shownOf(finding))}
        >
          {isShown ? "Show all rows" : "Show rows"}
        </Button>
      </div>
      <Text size="sm">{example.repair}</Text>
      <Text size="sm" c="dimmed">
        {where(lines, count)}
        {example.found ? `, found “${example.found}”` : ""}; expected {example.expected}
      </Text>
    </li>
  );
}

const rowsText = (count: number): string =>
  count === 1 ? "1 row" : `${count.toLocaleString()} rows`;

function where(lines: readonly number[], count: number): string {
  const more = count - lines.length;
  const first = `${lines.length === 1 ? "Line" : "Lines"} ${lines.join(", ")}`;
  return more > 0 ? `${first} and ${more.toLocaleString()} more` : first;
}
