import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Answer, ApiProblem, type Input, uploadFile } from "../../../server/client.ts";
import { queryClient } from "../../../server/query-client.ts";
import { type StatementAmounts, statementAmounts } from "./statement-amounts.ts";

type Query = NonNullable<Input<"POST /api/statements">["query"]>;

/** A statement that a person is about to upload. */
export interface StatementDraft extends StatementAmounts {
  readonly lane: string;
  readonly day: string;
  readonly file: File | null;
  readonly isReview: boolean;
}

export const EMPTY_STATEMENT: StatementDraft = {
  lane: "",
  day: "",
  file: null,
  opening: "",
  closing: "",
  deposits: "",
  lines: "",
  total: "",
  isReview: false,
};

/** The currency of a lane such as "SKU1/INR". */
export const currencyOf = (lane: string): string => lane.split("/").at(-1) ?? "";

/** How the columns of a statement are read. */
export interface Mapping {
  /** Name of the column by field. */
  readonly columns: Readonly<Record<string, string>>;
  readonly amounts: string;
  readonly sign: string;
  /** Result by word. */
  readonly words: Readonly<Record<string, string>>;
  readonly zone: string;
}

/** A mapping that the server asks about, with all columns of the file. */
export interface MappingQuestion {
  readonly mapping: Mapping;
  readonly names: readonly string[];
  /** The first values of each column. */
  readonly samples: readonly (readonly string[])[];
  /** The lines of the file with this mapping. Null: it cannot read the file. */
  readonly review: {
    readonly lines: number;
    /** Sum of the amounts in the currency of the lane, without signs. */
    readonly total: string;
    readonly outside_day: number;
    readonly problems: readonly RowProblem[];
  } | null;
}

/** A row that the server cannot read. */
export interface RowProblem {
  readonly line: number | null;
  readonly column: string | null;
  readonly message: string;
  readonly expected: string;
  readonly found: string | null;
}

export type StatementResult = Answer<"POST /api/statements">;

/** The mapping and the lines that a person has confirmed. */
interface Confirmed {
  readonly mapping?: Mapping;
  /** True: the mapping is only read again, and the statement is not loaded. */
  readonly isReview?: boolean;
  /** Number of lines outside the day. */
  readonly outsideDay?: number;
}

/** Writes meanings as the API reads them. One empty text means that there are none. */
const meanings = (pairs: readonly (readonly [string, string])[]): string[] =>
  pairs.length === 0 ? [""] : pairs.map(([name, meaning]) => `${name}=${meaning}`);

function queryOf(mapping: Mapping, isConfirmed: boolean): Partial<Query> {
  const { columns, words, amounts, sign, zone } = mapping;
  return {
    columns: meanings(Object.entries(columns).map(([field, name]) => [name, field] as const)),
    words: meanings(Object.entries(words)),
    amounts: amounts as NonNullable<Query["amounts"]>,
    sign: sign as NonNullable<Query["sign"]>,
    zone,
    confirm_mapping: isConfirmed ? "true" : "false",
  };
}

const documentIn = (error: Error | null, code: string): Readonly<Record<string, unknown>> | null =>
  error instanceof ApiProblem && error.code === code ? error.document : null;

/** Sends the file. */
function send(
  { lane, day, file, isReview, ...amounts }: StatementDraft,
  { mapping, isReview: isReviewed, outsideDay }: Confirmed,
  onProgress: (sent: number) => void,
): Promise<StatementResult> {
  if (!file) throw new Error("no file is chosen");
  const query: Query = {
    lane,
    day,
    file_name: file.name,
    ...statementAmounts(amounts, currencyOf(lane)),
    ...(isReview && { confirm_mapping: "false" }),
    ...(mapping && queryOf(mapping, isReviewed !== true)),
    ...(outsideDay !== undefined && { outside_day: outsideDay }),
  };
  const idempotencyKey = crypto.randomUUID();
  return uploadFile("POST /api/statements", file, { query, idempotencyKey, onProgress });
}

/** Uploads a statement, and asks for its mapping first if the server needs it. */
export function useStatement(draft: StatementDraft) {
  const [sent, setSent] = useState(0);
  const latest = useRef(0);
  const [question, setQuestion] = useState<MappingQuestion | null>(null);
  const upload = useMutation({
    mutationFn: (confirmed: Confirmed) => send(draft, confirmed, setSent),
    onMutate: () => {
      setSent(0);
      latest.current += 1;
      return latest.current;
    },
    onError: (refusal, _, number) => {
      // An earlier request is about an earlier mapping.
      if (number !== latest.current) return;
      const asked = documentIn(refusal, "reading_unconfirmed");
      if (asked && asked["outside_day"] === undefined) {
        setQuestion(asked as unknown as MappingQuestion);
      }
    },
    onSuccess: () => {
      setQuestion(null);
      void queryClient.invalidateQueries({ queryKey: ["GET /api/breaks"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/statements"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/reconciliation-lanes"] });
      void queryClient.invalidateQueries({ queryKey: ["GET /api/days/:day"] });
    },
  });
  const { error, variables } = upload;
  const asked = documentIn(error, "reading_unconfirmed");
  const unreadable = documentIn(error, "file_unreadable");
  const outside = asked?.["outside_day"];
  return {
    send: () => {
      setQuestion(null);
      upload.mutate({});
    },
    confirm: (mapping: Mapping) => upload.mutate({ mapping }),
    /** Reads the file again with a changed mapping, and stores nothing. */
    review: (mapping: Mapping) => upload.mutate({ mapping, isReview: true }),
    /** Shows the form again. */
    restart: () => {
      setQuestion(null);
      upload.reset();
    },
    /** Uploads the file again, with the mapping of the last time. */
    confirmOutside: (outsideDay: number) => upload.mutate({ ...variables, outsideDay }),
    isSending: upload.isPending && variables?.isReview !== true,
    isReviewing: upload.isPending && variables?.isReview === true,
    /** The uploaded share of the file, from 0 to 1. */
    sent,
    outside: typeof outside === "number" ? outside : null,
    /** Stays until a mapping is accepted, so that a refusal keeps the edits of its form. */
    question,
    problems: (unreadable?.["problems"] ?? null) as readonly RowProblem[] | null,
    error: asked || unreadable ? null : error,
    result: upload.data,
  };
}
