/** The OpenAPI description of a server, arranged for the documentation. */

/** A JSON schema, with the keywords that the description uses. */
export interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** The content of a body, by media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** An operation with its method, such as "POST", and its path. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

/** A group of endpoints. Its slug is the last part of its address. */
export interface ApiSection {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** The parts of the documentation in their order. */
export interface ApiDocs {
  readonly version: string;
  /** Markdown with the address of this server. */
  readonly quickstart: string;
  readonly sections: readonly ApiSection[];
  readonly problem: Schema;
}

/** The parts of an OpenAPI document that the documentation shows. */
export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Problem: Schema } };
}

/** The server in the examples of the description. */
const EXAMPLE_SERVER = "https://pay.example";

/** Arranges the document; its examples call the server at this address. */
export function apiDocsOf(
  { info, tags, paths, components }: OpenApiDocument,
  server: string,
): ApiDocs {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]): Endpoint => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  );
  return {
    version: info.version,
    quickstart: info.description.replaceAll(EXAMPLE_SERVER, server),
    sections: tags.map((tag) => ({
      ...tag,
      slug: tag.name.toLowerCase().replaceAll(" ", "-"),
      endpoints: inOrder(endpoints.filter((each) => each.tags.includes(tag.name))),
    })),
    problem: components.schemas.Problem,
  };
}

const METHODS = ["POST", "GET", "PUT", "DELETE"];

/** Returns the endpoints by path, those of the resource with most endpoints first. */
function inOrder(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const byResource = Map.groupBy(endpoints, ({ path }) => path.split("/")[2]);
  return [...byResource.values()]
    .toSorted((one, other) => other.length - one.length)
    .flatMap((same) =>
      same.toSorted(
        (one, other) =>
          (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
          METHODS.indexOf(one.method) - METHODS.indexOf(other.method),
      ),
    );
}

/** Returns whether an API key may call this endpoint. */
export const isForKeys = ({ security }: Endpoint): boolean =>
  security.some((each) => "key" in each);

/** Returns the content of the successful answer, and its status. */
export function answerOf({ responses }: Endpoint): { status: string; content: Content } {
  const [status = "", answer] = Object.entries(responses)[0] ?? [];
  return { status, content: answer?.content ?? {} };
}
