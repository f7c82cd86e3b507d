import { z } from "zod";

/** A setting `name=value,name=value`, percent-encoded, as in the OpenTelemetry specification. */
export const nameValueList = z
  .string()
  .refine(isPercentEncoded, "must be name=value,name=value with % written as %25");

/** Reads a setting of the form above. */
export const pairsIn = (text = ""): Record<string, string> =>
  Object.fromEntries(
    text
      .split(",")
      .filter((pair) => pair.includes("="))
      .map((pair) => {
        const at = pair.indexOf("=");
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
  );

/** Whether each % begins an escape of UTF-8 text. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
