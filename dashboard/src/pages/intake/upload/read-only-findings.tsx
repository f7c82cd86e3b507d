import { useState } from "react";
import { Findings, type Shown } from "./findings.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { Rows } from "./rows-with-findings.tsx";
import type { FileFindings } from "./queries.ts";

/** The findings of a file, by kind and by row, for reading only. */
export function Found({ found }: { readonly found: FileFindings }) {
  const [shown, setShown] = useState<Shown | null>(null);
  if (found.findings.length === 0) {
    return (
      <Notice tone="quiet" title={messages.findings.none}>
        {messages.findings.noneText}
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
