import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, ApiProblem, type Input, uploadFile } from "../../../server/client.ts";
import type { ConfirmedReading, ReadingProposal } from "./reading/proposal.ts";

/** The details of a batch that are sent with its file. */
type UploadDetails = Pick<Query, "name" | "purpose">;
type Query = NonNullable<Input<"POST /api/batches">["query"]>;

/** A file that is uploaded once its reading is confirmed. */
interface UnconfirmedFile {
  readonly file: File;
  readonly proposal: ReadingProposal;
  /** The choices that were confirmed before this question. */
  readonly confirmed: ConfirmedReading;
}

/** A file that was not uploaded, and why. */
interface RefusedUpload {
  readonly fileName: string;
  readonly error: unknown;
}

/** Returns the suggestions in an answer of the server. Null: another refusal. */
const proposalIn = (error: unknown): ReadingProposal | null =>
  error instanceof ApiProblem && error.code === "reading_unconfirmed"
    ? (error.document["proposal"] as ReadingProposal)
    : null;

/** Uploads a file and opens the page of the new batch. */
export function useUpload(details: UploadDetails) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<RefusedUpload | null>(null);
  const [known, setKnown] = useState<Answer<"POST /api/batches"> | null>(null);
  const [asked, setAsked] = useState<UnconfirmedFile | null>(null);
  const upload = async (file: File, confirmed: ConfirmedReading = {}): Promise<void> => {
    setSent(0);
    setRefusal(null);
    setKnown(null);
    try {
      const answer = await uploadFile("POST /api/batches", file, {
        query: { file_name: file.name, ...details, ...(confirmed as Partial<Query>) },
        idempotencyKey: crypto.randomUUID(),
        onProgress: setSent,
      });
      await queries.invalidateQueries({ queryKey: ["GET /api/batches"] });
      const id = answer.batch.batch_id;
      if (answer.is_new) await navigate({ to: "/batches/$id/file", params: { id } });
      else {
        setAsked(null);
        setKnown(answer);
      }
    } catch (error) {
      const proposal = proposalIn(error);
      if (proposal) setAsked({ file, proposal, confirmed });
      else setRefusal({ error, fileName: file.name });
    } finally {
      setSent(null);
    }
  };
  return {
    upload,
    /** The uploaded share of the file, from 0 to 1; null while no upload is running. */
    sent,
    refusal,
    /** The batch of the same file, which was uploaded before. */
    known,
    /** The file whose reading the uploader must confirm; null if there is none. */
    asked,
    forget: () => {
      setAsked(null);
      setRefusal(null);
    },
  };
}
