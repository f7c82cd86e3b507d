import type { ReactNode } from "react";
import { inLanguage } from "../../base/language.ts";

const en = {
  title: "Audit log",

  verification: {
    title: "Verification",
    again: "Verify again",
    intact: (lines: number) => `Hash chain verified up to #${lines.toLocaleString()}`,
    intactWithCheckpoint: (lines: number) =>
      `Hash chain verified up to #${lines.toLocaleString()}, including the entry that you saved`,
    doubtful: (why: string) => `The hash chain is intact, but ${why}`,
    broken: (line: number | string, why: string) => `The hash chain is broken at #${line}: ${why}`,
    root: (root: ReactNode) => (
      <>
        Root for evidence packs: {root}. Publish it, so that any later change to these entries can
        be detected.
      </>
    ),
    publicKey: (key: ReactNode) => <>Public key of evidence packs: {key}</>,
    latest: (hash: ReactNode) => (
      <>
        Latest hash {hash}. Save it outside the database, or have it e-mailed every day (Settings,
        Notifications). With a saved hash, you can later detect whether entries were removed or the
        whole log was rewritten.
      </>
    ),
    whenBroken: "Pause all sending, keep the database unchanged, and compare it with a backup.",
    saved: "Saved line and hash",
    savedExample: "48211:9f3c…",
    compare: "Compare",
  },
};

export const messages = inLanguage({ en });
