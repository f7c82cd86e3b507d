/**
 * A piece of HTML. Only `html` creates one, and it escapes every value that is not HTML already.
 */
export class Html {
  readonly text: string;

  constructor(parts: readonly string[], values: readonly Shown[]) {
    this.text = parts.map((part, at) => part + written(values[at])).join("");
  }
}

type Shown = Html | string | number | readonly Html[] | null | undefined;

/** Renders a template and escapes every value that is not Html. */
export const html = (parts: TemplateStringsArray, ...values: readonly Shown[]): Html =>
  new Html(parts, values);

function written(value: Shown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(written).join("");
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
