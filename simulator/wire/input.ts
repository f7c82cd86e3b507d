import type { z } from "zod";
import { describeIssue } from "#base/schema-issues.ts";

/** Checks parameters or a body, with problems in plain words. */
export const checkInput = <T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> =>
  schema.safeParse(value, { error: describeIssue });

/** Lists the problems of an input. `whole` names the input where a problem is not about a part. */
export const problemsIn = ({ issues }: z.ZodError, whole = ""): string =>
  issues
    .map(({ path, message }) => [path.join(".") || whole, message].filter(Boolean).join(": "))
    .join("; ");
