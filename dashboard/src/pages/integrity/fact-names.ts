import { messages as common } from "../../base/messages.ts";
import { messages } from "./fact-messages.ts";

/** A text of a table, without what every object inherits. */
const own = (texts: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/** The label of a detail: a known one, the label of a payout's field, or its name in words. */
export function factName(name: string): string {
  const key = name.replaceAll(" ", "_");
  const known = own(messages.names, key) ?? own(common.fields, key);
  if (known !== undefined) return known;
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "yes" or "no" for a recorded choice. */
export const yesOrNo = (value: boolean): string => (value ? messages.yes : messages.no);

/** The name of an actor that is no user, such as a part of payrun; null for others. */
export const partName = (actor: string): string | null => own(messages.parts, actor) ?? null;
