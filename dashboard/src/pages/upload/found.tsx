import { useState } from "react";
import type { FileFindings } from "./file.tsx";
import { Findings, type Shown } from "./findings.tsx";
import { Notice } from "./notice.tsx";
import { Rows } from "./rows.tsx";

/** What was found in a file, by repair and row by row. Nothing can be changed here. */
export function Found({ found }: { readonly found: FileFindings }) {
  const [shown, setShown] = useState<Shown | null>(null);
  if (found.findings.length === 0) {
    return (
      <Notice tone="quiet" title="Nothing to repair">
        No row of this file has a problem, and none is odd.
      </Notice>
    );
  }
  return (
    <>
      <Findings found={found} shown={shown} onShow={setShown} />
      <Rows batchId={found.batch.batch_id} shown={shown} />
    </>
  );
}
