import { isolateDirection } from "../../base/text.ts";
import { detailMessages } from "../detail-messages.tsx";

interface Maker {
  /** The recorded actor, such as "user:USA1B2C3D4". */
  readonly actor: string;
  readonly name: string;
}

/**
 * Names who can act as the uploader of a batch: the uploader or others with this role, and only the
 * role if the reader or a program uploaded it.
 *
 * @param reader the reader as an actor
 */
export function uploaderOf({ maker }: { readonly maker: Maker }, reader: string): string {
  const isOther = maker.actor.startsWith("user:") && maker.actor !== reader;
  return detailMessages.uploader(isOther ? isolateDirection(maker.name) : null);
}
