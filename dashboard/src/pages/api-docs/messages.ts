import { counted, inLanguage } from "../../base/language.ts";

const en = {
  title: "API documentation",
  contents: "Contents and search",
  search: "Search endpoints and errors",
  noResults: "No endpoint or error matches.",
  quickstart: "Quickstart",
  endpoints: "Endpoints",
  errors: "Errors",
  version: (version: string) => `Version ${version}`,
  openApi: "OpenAPI document",
  endpointCount: (count: number) => counted(count, "endpoint", "endpoints"),
  unknown: "The API has no endpoint or section with this name.",
  toOverview: "Open the API documentation",

  languages: { sh: "curl", ts: "TypeScript" },
  copyCode: "Copy",
  copied: "Copied",

  request: "Request",
  setUp: "Set up key.header and the client",
  parameters: {
    path: "Path parameters",
    query: "Query parameters",
    header: "Headers",
  },
  body: "Request body",
  response: (status: string) => `Response ${status}`,
  noContent: "The response has no body.",
  file: "The response is a file.",
  fileBody: "The request body is a file.",
  otherBody: "Alternatively, the request body is a file.",
  events: "The response is a stream of events.",
  problemFields: "Fields of an error",
  errorCodes: "Error codes",
  code: "Code",
  status: "Status",
  meaning: "Meaning",

  schema: {
    required: "required",
    optional: "not in every response",
    form: (number: number) => `Option ${number}`,
    anyName: "(any name)",
    anyType: "any value",
    list: (item: string) => `list of ${item}`,
    either: (types: readonly string[]) => types.join(" or "),
    between: (least: number, most: number) => `${least.toLocaleString()}–${most.toLocaleString()}`,
    atLeast: (least: number) => `at least ${least.toLocaleString()}`,
    length: (least: number, most: number) =>
      least > 0
        ? `${least}–${most.toLocaleString()} characters`
        : `at most ${most.toLocaleString()} characters`,
    items: (most: number) => `at most ${counted(most, "item", "items")}`,
    pattern: (pattern: string) => `pattern ${pattern}`,
    default: (value: string) => `default ${value}`,
    fields: (count: number) => counted(count, "field", "fields"),
  },
};

export const messages = inLanguage({ en });
