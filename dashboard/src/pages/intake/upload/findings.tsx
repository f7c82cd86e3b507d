import { Button, Text } from "@mantine/core";
import { CircleX, TriangleAlert } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Section } from "../../../components/section.tsx";
import { useIsPhone } from "../../../base/use-is-phone.ts";
import { isBeforeRequest } from "../../../base/state.ts";
import { useMay } from "../../../server/session.ts";
import { fileWarnings } from "./file-summary.ts";
import { inOwnNames, ownNames } from "./repair/values.ts";
import { messages } from "./messages.tsx";
import classes from "./upload.module.css";
import type { FileFindings } from "./queries.ts";

const texts = messages.findings;

/** Only for uploaders whose file repeats rows. */
const LeaveOutLines = lazy(async () => ({
  default: (await import("./repair/leave-out.tsx")).LeaveOutLines,
}));

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

/**
 * The findings of a file, one entry for each kind of correction. Warnings about the file as a whole
 * come first.
 */
export function Findings({ found, shown, onShow }: FindingsProps) {
  const mayUpload = useMay("upload");
  const { batch, findings } = found;
  const of = (wanted: string) =>
    findings.filter(({ example: { severity } }) => severity === wanted);
  const groups = [
    { title: texts.problems, notes: [], findings: of("error") },
    { title: texts.warnings, notes: fileWarnings(found), findings: of("warning") },
  ];
  return groups
    .filter((group) => group.findings.length + group.notes.length > 0)
    .map((group) => (
      <Section
        key={group.title}
        title={group.title}
        caption={groupedText(group)}
        foldsOnPhone={mayUpload && batch.rejected > 0}
      >
        <Entries
          notes={group.notes}
          of={group.findings}
          names={ownNames(found.file.columns)}
          leaveOutOf={mayUpload && isBeforeRequest(batch.state) ? batch.batch_id : null}
          shown={shown}
          onShow={onShow}
        />
      </Section>
    ));
}

/** More kinds of corrections are shown on request. */
const ENTRIES_SHOWN = 10;
const ENTRIES_ON_PHONE = 3;

function Entries({
  notes,
  of,
  names,
  leaveOutOf,
  shown,
  onShow,
}: Omit<FindingsProps, "found"> & {
  readonly notes: ReturnType<typeof fileWarnings>;
  readonly of: readonly Finding[];
  /** The names of the columns in the file, by payrun's names. */
  readonly names: ReadonlyMap<string, string>;
  /** The batch whose repeated rows can be left out; null if none can. */
  readonly leaveOutOf: string | null;
}) {
  const [isWhole, setWhole] = useState(false);
  const isPhone = useIsPhone();
  const entries = isWhole ? of : of.slice(0, isPhone ? ENTRIES_ON_PHONE : ENTRIES_SHOWN);
  return (
    <>
      <ul className={classes.findings}>
        {notes.map((note) => (
          <li key={note.message} className={classes.finding}>
            <Sentence isError={false}>{note.message}</Sentence>
            <Text size="sm">{note.correction}</Text>
          </li>
        ))}
        {entries.map((finding) => (
          <Entry
            key={JSON.stringify(selectionOf(finding))}
            finding={finding}
            names={names}
            leaveOutOf={leaveOutOf}
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

/** Returns the number of rows of the entries, if an entry is about several rows. */
function groupedText({
  notes,
  findings,
}: {
  readonly notes: readonly unknown[];
  readonly findings: readonly Finding[];
}): string | undefined {
  const entries = notes.length + findings.length;
  const total = findings.reduce((sum, { count }) => sum + count, notes.length);
  return total > entries ? texts.grouped(total, entries) : undefined;
}

const Sentence = ({
  isError,
  children,
}: {
  readonly isError: boolean;
  readonly children: string;
}) => {
  const Icon = isError ? CircleX : TriangleAlert;
  return (
    <div className={classes.sentence} data-tone={isError ? "declined" : "awaiting"}>
      <Icon size={16} aria-hidden />
      <span>{children}</span>
    </div>
  );
};

function Entry({
  finding,
  names,
  leaveOutOf,
  isShown,
  onShow,
}: {
  readonly finding: Finding;
  readonly names: ReadonlyMap<string, string>;
  readonly leaveOutOf: string | null;
  readonly isShown: boolean;
  readonly onShow: (shown: SelectedFinding | null) => void;
}) {
  const { count, lines, example } = finding;
  return (
    <li className={classes.finding}>
      <div className={classes.head}>
        <Sentence isError={example.severity === "error"}>
          {texts.finding(count, inOwnNames(example.message, names))}
        </Sentence>
        <Button
          size="xs"
          variant={isShown ? "filled" : "default"}
          aria-pressed={isShown}
          onClick={() => onShow(isShown ? null : selectionOf(finding))}
        >
          {isShown ? texts.showAll : texts.showRows}
        </Button>
      </div>
      <Text size="sm">{inOwnNames(example.correction, names)}</Text>
      {example.code === "row_repeated" && leaveOutOf !== null ? (
        <Suspense fallback={null}>
          <LeaveOutLines batchId={leaveOutOf} lines={lines} />
        </Suspense>
      ) : null}
      <Text size="sm" c="dimmed">
        {where(lines, count)}
        {example.found ? texts.found(example.found) : ""}
        {example.code === "row_repeated" ? "" : texts.expected(example.expected)}
      </Text>
    </li>
  );
}

function where(lines: readonly number[], count: number): string {
  const more = count - lines.length;
  const first = texts.lines(lines);
  return more > 0 ? texts.linesAndMore(first, more) : first;
}
