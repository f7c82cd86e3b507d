/** Verifies the bytes of a pack. Throws if they are not exactly what the key's holder wrote. */
export function verifyPack(
  zip: Buffer,
  key: string,
  checkpoint?: string,
): {
  readonly created_at: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly totals: readonly object[];
  readonly entries: number;
  readonly root: string;
};
