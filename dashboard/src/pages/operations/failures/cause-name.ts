/** The text of the gateway where it has one, otherwise the first sentence of the meaning. */
export function causeName({
  reason,
  meaning,
}: {
  readonly reason: string | null;
  readonly meaning: string;
}): string {
  const said = /^refused: (.+)$/.exec(reason ?? "")?.[1];
  if (said !== undefined) return said.slice(0, 1).toUpperCase() + said.slice(1);
  return /^.+?(?=[.](?: |$))/.exec(meaning)?.[0] ?? meaning;
}
