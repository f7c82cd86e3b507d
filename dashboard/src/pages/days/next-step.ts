import { useQuery } from "@tanstack/react-query";
import { call } from "../../server/client.ts";
import type { DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import { dayAddress } from "../reconciliation/search-params.ts";

const texts = messages.steps;

/** The next step of a day, and the page where it is done. */
export interface NextStep {
  readonly text: string;
  /** Null: there is nothing to do yet. */
  readonly verb: string | null;
  readonly to: string;
  /** Only users who may operate can do it. */
  readonly operates: boolean;
  /** The step is to close the day. */
  readonly closes?: true;
  /** The step is to review the breaks of the day. */
  readonly reviews?: true;
}

/** The address of the page that uploads the statement of a day. */
export const uploadAddress = ({ lane, day }: Pick<DayView, "lane" | "day">): string =>
  `/reconciliation/upload?${new URLSearchParams({ lane, day }).toString()}`;

/** The address of the unresolved breaks of a day. */
const breaksAddress = ({ lane, day }: Pick<DayView, "lane" | "day">): string =>
  `/reconciliation?${new URLSearchParams({ lane, day }).toString()}`;

/** Returns the next step towards closing a day: its statement, its breaks, then the close. */
export function nextStepOf(of: DayView): NextStep {
  const { day, lane, statement, unresolved_breaks: breaks, close } = of;
  const page = dayAddress(day, lane);
  if (close.reason === "day_not_over")
    return { text: texts.notOver, verb: null, to: page, operates: false };
  if (close.reason === "unfinished_statement") {
    return {
      text: texts.unfinished,
      verb: texts.openStatements,
      to: "/reconciliation",
      operates: false,
    };
  }
  if (statement === null) {
    return { text: texts.noStatement, verb: texts.upload, to: uploadAddress(of), operates: true };
  }
  if (breaks > 0) {
    return {
      text: texts.breaks(breaks),
      verb: texts.review(breaks),
      to: breaksAddress(of),
      operates: false,
      reviews: true,
    };
  }
  if (!close.may)
    return { text: close.why_not ?? texts.blocked, verb: null, to: page, operates: false };
  return { text: texts.ready, verb: texts.close, to: page, operates: true, closes: true };
}

/** Returns the next step of a day. The only break of a day has its own page instead of the list. */
export function useNextStep(of: DayView): NextStep {
  const step = nextStepOf(of);
  const { lane, day, unresolved_breaks: breaks } = of;
  const { data } = useQuery({
    queryKey: ["GET /api/breaks", "day", lane, day],
    queryFn: ({ signal }) => call("GET /api/breaks", { query: { lane, day }, signal }),
    enabled: step.reviews === true && breaks === 1,
  });
  const [only] = data?.items ?? [];
  return step.reviews && breaks === 1 && only
    ? { ...step, to: `/reconciliation/${only.id}` }
    : step;
}
