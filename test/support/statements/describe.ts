/** What PostgreSQL reports about a statement that it has only prepared, never run. */
import pg from "pg";
import { query } from "../servers/postgres.ts";

export interface Column {
  readonly name: string;
  readonly type: number;
  /** True if the column comes straight from a column of a table that may be null. */
  readonly isNullable: boolean;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** The messages of the protocol that @types/pg does not know. */
interface Wire extends NodeJS.EventEmitter {
  parse(query: { text: string; name: string }): void;
  describe(message: { type: "S"; name: string }): void;
  sync(): void;
}

export class Describer {
  readonly #client: pg.Client;
  readonly #nullable: ReadonlySet<string>;

  private constructor(client: pg.Client, nullable: ReadonlySet<string>) {
    this.#client = client;
    this.#nullable = nullable;
  }

  /** Connects as the ledger does: unqualified names are names of its schema. */
  static async at(url: string, schema: string): Promise<Describer> {
    const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
    await client.connect();
    const rows = await query(
      url,
      `select a.attrelid || '.' || a.attnum as at from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attnotnull`,
    );
    return new Describer(client, new Set(rows.map((row) => String(row["at"]))));
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /**
   * Parses a statement and returns its columns, in order.
   *
   * @throws the refusal of PostgreSQL, for example for an unknown column.
   */
  async columnsOf(text: string): Promise<readonly Column[]> {
    const fields = await this.#describe(text);
    return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: dataTypeID,
      isNullable: this.#nullable.has(`${tableID}.${columnID}`),
    }));
  }

  #describe(text: string): Promise<readonly Field[]> {
    return new Promise((resolve, reject) => {
      let fields: readonly Field[] = [];
      // The client calls these methods of whatever is submitted to it.
      const submitted = {
        submit(connection: Wire) {
          connection.parse({ text, name: "" });
          connection.describe({ type: "S", name: "" });
          connection.sync();
        },
        handleRowDescription: (message: { fields: readonly Field[] }) => {
          fields = message.fields;
        },
        handleError: reject,
        handleReadyForQuery: () => resolve(fields),
      };
      this.#client.query(submitted as unknown as pg.Submittable);
    });
  }
}
