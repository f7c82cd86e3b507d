import { useState } from "react";
import { Findings, type SelectedFinding } from "./findings.tsx";
import { hasFindings } from "./file-summary.ts";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { RowsWithFindings } from "./rows-with-findings.tsx";
import { ownNames } from "./repair/values.ts";
import type { FileFindings } from "./queries.ts";
import classes from "./upload.module.css";

/**
 * The findings of a file, by kind and by row, for reading only. `isCorrectedAbove`: the page shows
 * the values and rows to correct, so that only warnings about whole rows are open here.
 */
export function ReadOnlyFindings({
  found,
  isCorrectedAbove = false,
}: {
  readonly found: FileFindings;
  readonly isCorrectedAbove?: boolean;
}) {
  if (!hasFindings(found)) {
    return <Notice tone="draft" title={messages.findings.none} />;
  }
  if (!isCorrectedAbove) return <ByKindAndRow found={found} isWithRows />;
  const [above, here] = splitFindings(found);
  return (
    <>
      <ByKindAndRow found={here} isWithRows={false} />
      {above.findings.length === 0 ? null : (
        <details className={classes.byKind}>
          <summary>
            {messages.findings.byKind(above.findings.reduce((sum, { count }) => sum + count, 0))}
          </summary>
          <ByKindAndRow found={above} isWithRows />
        </details>
      )}
    </>
  );
}

function ByKindAndRow({
  found,
  isWithRows,
}: {
  readonly found: FileFindings;
  /** Shows the rows with warnings also before a kind is chosen. */
  readonly isWithRows: boolean;
}) {
  const [shown, setShown] = useState<SelectedFinding | null>(null);
  const hasRows = isWithRows && found.findings.length > 0 && found.batch.rejected === 0;
  return (
    <>
      <Findings found={found} shown={shown} onShow={setShown} />
      {shown || hasRows ? (
        <RowsWithFindings
          batchId={found.batch.batch_id}
          names={ownNames(found.file.columns)}
          shown={shown}
        />
      ) : null}
    </>
  );
}

/** Separates the findings that the uploader corrects above from the others. */
function splitFindings(found: FileFindings): readonly [FileFindings, FileFindings] {
  const columns = new Set(found.file.columns.map(({ column }) => column));
  const isAbove = ({ example: { severity, column } }: FileFindings["findings"][number]): boolean =>
    severity === "error" || (column !== null && columns.has(column));
  return [
    {
      ...found,
      file: { ...found.file, notes: [] },
      findings: found.findings.filter(isAbove),
    },
    { ...found, findings: found.findings.filter((finding) => !isAbove(finding)) },
  ];
}
