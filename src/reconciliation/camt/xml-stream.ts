import { createHash } from "node:crypto";
import { SaxesParser } from "saxes";
import { visible } from "#base/invisible-characters.ts";
import type { FileLimits } from "#intake/text/file-limits.ts";
import { CamtRefused } from "#reconciliation/camt/problem.ts";

/** Receives the elements of an XML file in their order. */
export interface XmlReceiver {
  open(element: OpenedElement): void;
  /** Gets the text between the tags of the element, without surrounding blanks. */
  close(text: string): void;
}

export interface OpenedElement {
  /** Name without a prefix. */
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Line of the file on which the tag ends. */
  readonly line: number;
}

/** Bytes that the parser gets at a time. */
const PIECE_BYTES = 64 * 1024;
/** Maximum number of characters between two tags, and maximum depth. Statements need far less. */
const GAP_MAX = 1024 * 1024;
const DEPTH_MAX = 64;

/**
 * Feeds an XML file to a receiver in pieces, so that memory use does not depend on its size. The
 * parser accepts only well-formed XML. A document type declaration is refused, so there are no
 * entities to expand.
 */
export class XmlStream {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #bytesMax: number;
  readonly #hash = createHash("sha256");
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #parser: SaxesParser<{ xmlns: true }>;
  #bytes = 0;
  #lastTagAt = 0;

  constructor(source: AsyncIterable<Uint8Array>, receiver: XmlReceiver, limits: FileLimits) {
    this.#pieces = piecesOf(source)[Symbol.asyncIterator]();
    this.#bytesMax = limits.bytesMax;
    this.#parser = this.#newParser(receiver);
  }

  /**
   * Reads one more piece. Returns false at the end of the file.
   *
   * @throws CamtRefused if the file cannot be read.
   */
  async next(): Promise<boolean> {
    const piece = await this.#pieces.next();
    if (piece.done) {
      this.#parse(() => this.#parser.write(this.#decoder.decode()).close());
      return false;
    }
    this.#hash.update(piece.value);
    this.#bytes += piece.value.length;
    if (this.#bytes > this.#bytesMax) {
      this.refuse("The file is too large.", `at most ${this.#bytesMax} bytes`, null);
    }
    this.#parse(() => this.#parser.write(this.#decoder.decode(piece.value, { stream: true })));
    if (this.#parser.position - this.#lastTagAt > GAP_MAX) {
      this.refuse("A part of the file is too long.", `a tag every ${GAP_MAX} characters`, null);
    }
    return true;
  }

  /** Returns the SHA-256 of the bytes read so far in hex. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Line of the file that the parser has reached, counted from 1. */
  get line(): number {
    return this.#parser.line;
  }

  /** @throws CamtRefused always. */
  refuse(message: string, expected: string, found: string | null): never {
    throw new CamtRefused({ line: this.line, column: null, message, expected, found });
  }

  #parse(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (error instanceof CamtRefused) throw error;
      if (error instanceof TypeError) {
        this.refuse("The file contains bytes that are not UTF-8.", "text in UTF-8", null);
      }
      const why = (error as Error).message.replace(/^\d+:\d+: /, "");
      const message = "The file is damaged or incomplete: it is not well-formed XML.";
      this.refuse(message, "a complete XML file", visible(why));
    }
  }

  #newParser(receiver: XmlReceiver): SaxesParser<{ xmlns: true }> {
    const parser = new SaxesParser({ xmlns: true });
    const texts: string[] = [];
    const addText = (text: string) => {
      const last = texts.length - 1;
      if (last >= 0) texts[last] += text;
    };
    parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
      if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return;
      this.refuse("The encoding of the file is not supported.", "UTF-8", visible(encoding));
    });
    parser.on("doctype", () =>
      this.refuse("The file has a document type declaration.", "XML without DOCTYPE", "DOCTYPE"),
    );
    parser.on("text", addText);
    parser.on("cdata", addText);
    parser.on("opentag", ({ local, uri, attributes }) => {
      this.#lastTagAt = parser.position;
      texts.push("");
      if (texts.length > DEPTH_MAX) {
        this.refuse("The elements are nested too deeply.", `at most ${DEPTH_MAX} levels`, null);
      }
      const values: Record<string, string> = {};
      for (const { local: name, uri: foreign, value } of Object.values(attributes)) {
        if (foreign === "") values[name] = value;
      }
      receiver.open({ name: local, namespace: uri, attributes: values, line: parser.line });
    });
    parser.on("closetag", () => {
      this.#lastTagAt = parser.position;
      receiver.close((texts.pop() ?? "").trim());
    });
    return parser;
  }
}

async function* piecesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }
}
