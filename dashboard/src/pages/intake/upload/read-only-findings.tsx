import { useState } from "react";
import { Findings, type SelectedFinding } from "./findings.tsx";
import { hasFindings } from "./file-summary.ts";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { RowsWithFindings } from "./rows-with-findings.tsx";
import type { FileFindings } from "./queries.ts";

/** The findings of a file, by kind and by row, for reading only. */
export function ReadOnlyFindings({ found }: { readonly found: FileFindings }) {
  const [shown, setShown] = useState<SelectedFinding | null>(null);
  if (!hasFindings(found)) {
    return (
      <Notice tone="draft" title={messages.findings.none}>
        {messages.findings.noneText}
      </Notice>
    );
  }
  return (
    <>
      <Findings found={found} shown={shown} onShow={setShown} />
      {shown || (found.findings.length > 0 && found.batch.rejected === 0) ? (
        <RowsWithFindings batchId={found.batch.batch_id} shown={shown} />
      ) : null}
    </>
  );
}
